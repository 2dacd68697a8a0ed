import { html } from './htmlTemplate.js';

/** The look of an exported page: a column of quiet cards, each with the colour of its speaker, light or dark, wide or narrow. */
export const PAGE_STYLE = html`
:root { --paper: #f7f6f3; --card: #fff; --ink: #1c1c1f; --faint: #67676d; --line: #e3e1db; --code: #f4f2ed; --alarm: #b3261e; --link: #1d4ed8;
  --added: #e3f3e1; --removed: #fbe6e3;
  --keyword: #a11d6e; --string: #2b6a30; --number: #9a4a00; --title: #1d4ed8; --type: #0b6b7d; --name: #7a4b00; }
.hue0 { --hue: #3b5bdb; } .hue1 { --hue: #c2410c; } .hue2 { --hue: #2b7a3b; } .hue3 { --hue: #8b2fa8; }
.hue4 { --hue: #0b7285; } .hue5 { --hue: #b91c57; } .hue6 { --hue: #7a5c00; } .hue7 { --hue: #55606e; }
@media (prefers-color-scheme: dark) {
  :root { --paper: #141517; --card: #1d1e21; --ink: #e7e5e1; --faint: #9c9ca3; --line: #313237; --code: #26272b; --alarm: #ff8a80; --link: #91a7ff;
    --added: #1f3324; --removed: #43252a;
    --keyword: #f29bcb; --string: #93d49a; --number: #f0b07a; --title: #9db4ff; --type: #7fd3e0; --name: #e0c07a; }
  .hue0 { --hue: #91a7ff; } .hue1 { --hue: #ffa16c; } .hue2 { --hue: #7fd18c; } .hue3 { --hue: #dba1ee; }
  .hue4 { --hue: #66d3e4; } .hue5 { --hue: #ff93b5; } .hue6 { --hue: #e3c04f; } .hue7 { --hue: #b3bdc9; }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body { margin: 0 auto; padding: 2.5rem 1rem 5rem; max-width: 54rem; background: var(--paper); color: var(--ink);
  font: 16px/1.6 system-ui, -apple-system, "Segoe UI", "Noto Sans", "PingFang SC", "Noto Sans CJK SC", sans-serif; overflow-wrap: anywhere; }
h1 { margin: 0; font-size: 1.7rem; line-height: 1.25; letter-spacing: -.01em; }
.facts { margin: .3rem 0 0; color: var(--faint); font-size: .85rem; }
.members { list-style: none; display: flex; flex-wrap: wrap; gap: .45rem; margin: 1.1rem 0 1.8rem; padding: 0; font-size: .85rem; }
.members li { padding: .2rem .7rem; background: var(--card); border: 1px solid var(--line); border-radius: 1rem; color: var(--faint); }
.members b, h2 b { color: var(--hue, var(--ink)); }
.members b::before { content: ""; display: inline-block; width: .55em; height: .55em; margin-right: .45em; border-radius: 50%; background: var(--hue); }
article, .task, .usage { margin: 0 0 1rem; padding: 1rem 1.2rem; background: var(--card); border: 1px solid var(--line); border-radius: .6rem; }
article { border-left: 4px solid var(--hue, var(--line)); }
article:target { outline: 2px solid var(--hue, var(--ink)); outline-offset: 2px; }
h2 { display: flex; flex-wrap: wrap; gap: .1rem .5rem; align-items: baseline; margin: 0 0 .5rem; font-size: .95rem; font-weight: 400; }
h2 span { color: var(--faint); min-width: 0; }
time { margin-left: auto; color: var(--faint); font-size: .8rem; font-variant-numeric: tabular-nums; white-space: nowrap; }
.task h2 { color: var(--faint); }
pre { margin: 0; white-space: pre-wrap; font: inherit; unicode-bidi: isolate; tab-size: 4; }
.text :where(p, ul, ol, blockquote, .code, .table) { margin: .7rem 0; }
.text :is(p, li, h3, h4, h5, h6, td, th) { white-space: pre-wrap; unicode-bidi: plaintext; }
.text :is(h3, h4, h5, h6) { margin: 1.1rem 0 .5rem; line-height: 1.3; } h3 { font-size: 1.25rem; } h4 { font-size: 1.1rem; } h5, h6 { font-size: 1rem; } h6 { color: var(--faint); }
.text :is(ul, ol) { padding-left: 1.6rem; } .text li > :is(ul, ol, p) { margin: .2rem 0; } .text li + li { margin-top: .2rem; }
.todo { list-style: none; } .box { display: inline-block; width: 1.4em; margin-left: -1.4em; }
.text blockquote { padding-left: .9rem; border-left: 3px solid var(--line); color: var(--faint); }
.text hr { margin: 1.1rem 0; border: 0; border-top: 1px solid var(--line); }
.text th { color: inherit; font-weight: 600; } .text :is(th, td) { overflow-wrap: break-word; vertical-align: top; }
.text > :first-child { margin-top: 0; } .text > :last-child { margin-bottom: 0; }
.right { text-align: right; } .center { text-align: center; }
a { color: var(--link); } .target { color: var(--faint); font-size: .85em; }
.code, li pre, code { font: .85rem/1.55 ui-monospace, "SF Mono", Menlo, Consolas, "Noto Sans Mono", monospace; background: var(--code); border-radius: .35rem; }
.code { padding: .8rem 1rem; border: 1px solid var(--line); white-space: pre; overflow-wrap: normal; overflow-x: auto; }
.code[data-language]::before { content: attr(data-language); display: block; margin-bottom: .4rem; color: var(--faint); font-size: .75rem; }
.code .keyword { color: var(--keyword); } .code .string { color: var(--string); } .code .number { color: var(--number); }
.code .comment, .code .meta { color: var(--faint); } .code .comment { font-style: italic; } .code .title { color: var(--title); }
.code .type { color: var(--type); } .code .name { color: var(--name); } .code .addition { color: var(--string); } .code .deletion { color: var(--alarm); }
li pre { margin-top: .25rem; padding: .4rem .6rem; max-height: 20rem; overflow-y: auto; }
code { padding: .05rem .3rem; }
.draft { color: var(--faint); border-left: 2px dashed var(--line); padding-left: .9rem; }
.label { margin: .6rem 0 .2rem; color: var(--faint); font-size: .8rem; }
.failure { margin: 0 0 .3rem; color: var(--alarm); } .hint { margin: 0 0 .5rem; color: var(--faint); font-size: .9rem; }
.notice, .day { margin: 0 auto 1rem; max-width: 44rem; text-align: center; color: var(--faint); font-size: .85rem; }
.day { margin-top: 1.6rem; font-variant-numeric: tabular-nums; }
details { margin-top: .6rem; font-size: .88rem; }
summary { cursor: pointer; color: var(--faint); } summary:hover { color: var(--ink); }
details ul { margin: .5rem 0 0; padding: 0; list-style: none; } details li { margin-top: .45rem; }
details p { margin: .4rem 0; color: var(--faint); }
.failed { color: var(--alarm); }
footer { margin-top: .7rem; color: var(--faint); font-size: .8rem; font-variant-numeric: tabular-nums; }
.files { margin: -.6rem 0 1rem; padding: .5rem 1.2rem .6rem; border: 1px solid var(--line); border-left: 4px solid var(--hue, var(--line)); border-radius: .6rem; font-size: .88rem; }
.files h2 { margin: 0 0 .2rem; gap: .1rem .4rem; font-size: .85rem; } .files .hint { margin: .2rem 0 0; } .files .file { margin: .15rem 0 0; } .files p.file { padding-left: 1.05em; }
.files details { margin-top: .15rem; } .files .diff { margin-top: .35rem; } .files code { color: var(--ink); background: none; padding: 0; word-break: break-all; }
.added, .mark-A { color: var(--string); } .removed, .mark-D { color: var(--alarm); } .mark-M { color: var(--number); } .fact { color: var(--faint); }
:is(.added, .removed, .fact) { font-size: .8rem; font-variant-numeric: tabular-nums; }
[class^="mark-"] { display: inline-block; width: 1.1em; font-weight: 600; text-align: center; }
.diff { display: grid; max-height: 32rem; overflow-y: auto; } .diff span { padding: 0 .4rem; }
.diff .add { background: var(--added); } .diff .remove { background: var(--removed); } .diff .place { color: var(--faint); }
.usage { margin-top: 2rem; } .usage summary { font-size: .95rem; }
.table { overflow-x: auto; }
table { border-collapse: collapse; margin-top: .5rem; font-size: .88rem; }
th, td { padding: .25rem 1.1rem .25rem 0; text-align: left; white-space: nowrap; border-bottom: 1px solid var(--line); }
th { color: var(--faint); font-weight: 400; }
.number { text-align: right; font-variant-numeric: tabular-nums; }
.sum td { border-bottom: 0; font-weight: 600; }
@media (max-width: 30rem) {
  body { padding: 1.4rem .7rem 3rem; } h1 { font-size: 1.4rem; }
  article, .task, .usage { padding: .8rem .9rem; } .code { padding: .6rem .7rem; }
}
@media print {
  body { max-width: none; padding: 0; background: none; } .code { white-space: pre-wrap; overflow-wrap: anywhere; }
  article { break-inside: avoid-page; }
}
`;
