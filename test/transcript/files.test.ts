import { expect, test } from 'vitest';
import { formatHtml } from '../../src/transcript/html.js';
import { formatMarkdown } from '../../src/transcript/markdown.js';
import { createTranscript } from '../../src/transcript/Transcript.js';
import { filesTalk } from './filesTalk.js';

test('a page has a row for each file, which opens to its coloured lines, and nothing of them is markup', async () => {
  const page = await formatHtml(await createTranscript(filesTalk()));
  const start = page.indexOf('<section class="files');
  expect(page.slice(start, page.indexOf('</section>', start))).toMatchInlineSnapshot(`
    "<section class="files hue1"><h2><span>author · turn-1 · 7 files</span> <span class="added">+15</span> <span class="removed">−1,203</span></h2>
    <details class="file"><summary><span class="mark-M">M</span> <code>src/upload.ts</code> <span class="added">+12</span> <span class="removed">−3</span></summary><pre class="code diff"><span class="place">@@ -1,3 +1,4 @@</span><span> const kept = 1;</span><span class="remove">--- a/removed &lt;/pre&gt;&lt;script&gt;alert(1)&lt;/script&gt;</span><span class="add">+const limit = \`␛[2J&lt;U+202E&gt;\`;</span><span class="add">+\`\`\`</span><span> end</span></pre></details>
    <details class="file"><summary><span class="mark-A">A</span> <code>src/new.ts</code> <span class="added">+2</span></summary><pre class="code diff"><span class="place">@@ -0,0 +1,2 @@</span><span class="add">+one</span><span class="add">+two</span></pre></details>
    <p class="file"><span class="mark-D">D</span> <code>src/old.ts</code> <span class="removed">−1,200</span></p><p class="file"><span class="mark-M">M</span> <code>logo.png</code> <span class="fact">binary</span></p><p class="file"><span class="mark-M">M</span> <code>run.sh</code> <span class="fact">100644 → 100755</span></p><p class="file"><span class="mark-M">M</span> <code>data.bin</code> <span class="fact">binary, content not kept</span></p><p class="file"><span class="mark-M">M</span> <code>a␊␛[31mb.txt</code> <span class="added">+1</span></p>"
  `);
  expect(page).not.toContain('<script>');
});

test('exports say of a command that nothing holds it to a permission', async () => {
  const talk = filesTalk().map((event) => {
    if (event.type !== 'conversation-start') return event;
    const members = event.team.members.map((member) => ({ ...member, agentType: 'command' }));
    return { ...event, team: { ...event.team, members } };
  });
  const transcript = await createTranscript(talk);
  for (const text of [await formatHtml(transcript), formatMarkdown(transcript)])
    expect(text).toContain('runs as you (no sandbox)');
});
