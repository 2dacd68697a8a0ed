import { expect, test } from 'vitest';
import { filesTalk } from '../transcript/filesTalk.js';
import { createMachine, type Machine } from './runHuddle.js';
import { outputOf } from './storedSessions.js';

async function importFilesTalk(): Promise<Machine> {
  const machine = createMachine();
  machine.write(
    'log.jsonl',
    filesTalk()
      .map((event) => `${JSON.stringify(event)}\n`)
      .join(''),
  );
  await outputOf(machine, 'import', 'log.jsonl');
  return machine;
}

test('show lists what every turn did to files, five at most, and names the command for the rest', async () => {
  const machine = await importFilesTalk();
  const { stderr } = await machine.run(['show']);
  const about = stderr.split('\n').filter((line) => !/^Team:|turns in/u.test(line));
  expect(about.join('\n')).toMatchInlineSnapshot(`
    "author · turn-1 · 7 files +15 −1,203
      M src/upload.ts +12 −3
      A src/new.ts +2
      D src/old.ts −1,200
      M logo.png binary
      M run.sh 100644 → 100755
      … 2 more: huddle diff 1
    Changed between turns: README.md, b.ts, c.ts and 1 more.
    turn-3 · in ada's copy · 1 file +40
      M src/deep/down/in/the/folders/of/a/project/where/nobody/looks/upload.test.ts +40
      Recorded late: changes by others may be among these.
      At the same time in this folder: turn-9 of 20261115-0101-beef. Those changes may be among these.
      git branch: main → fix
      git HEAD: 1234567 → abcdef1
      To apply: huddle apply 3
    apply-1 · kim applied turn-3 · 1 file +40
      A src/upload.test.ts +40
    undo-1 · kim undid turn-1, apply-1 · 2,001 files +3 −12
      M src/upload.ts +3 −12
      … 2,000 more: huddle diff undo-1
      Too many files changed at once to list them all. This cannot be undone.
    "
  `);
  const named = await machine.run(['show', 'files-1']);
  expect(named.stderr).toContain('… 2 more: huddle diff 1 --session files-1\n');
});

test('the same in Chinese', async () => {
  const machine = await importFilesTalk();
  const { stderr } = await machine.run(['show'], { env: { HUDDLE_LANG: 'zh-CN' } });
  expect(stderr).toMatchInlineSnapshot(`
    "团队：kim（人类）、author（Claude Code）、ada（Claude Code）。
    author · turn-1 · 7 个文件 +15 −1,203
      M src/upload.ts +12 −3
      A src/new.ts +2
      D src/old.ts −1,200
      M logo.png 二进制
      M run.sh 100644 → 100755
      …还有 2 个：huddle diff 1
    两轮之间有改动：README.md、b.ts、c.ts，还有 1 个。
    turn-3 · 在 ada 的副本中 · 1 个文件 +40
      M src/deep/down/in/the/folders/of/a/project/where/nobody/looks/upload.test.ts +40
      补记：其中可能有他人的改动。
      同一时间本目录中还有：turn-9 of 20261115-0101-beef。其改动可能也在其中。
      git 分支：main → fix
      git HEAD：1234567 → abcdef1
      应用：huddle apply 3
    apply-1 · kim 应用了 turn-3 · 1 个文件 +40
      A src/upload.test.ts +40
    undo-1 · kim 撤销了 turn-1、apply-1 · 2,001 个文件 +3 −12
      M src/upload.ts +3 −12
      …还有 2,000 个：huddle diff undo-1
      一次改动的文件过多，未全部列出，因此无法撤销。
    3 轮，3s
    "
  `);
});

test('Markdown has the list, and the diff folded away', async () => {
  const machine = await importFilesTalk();
  const text = await outputOf(machine, 'export', '--format', 'md');
  expect(
    text.slice(text.indexOf('**author'), text.indexOf('## author', text.indexOf('**author'))),
  ).toMatchInlineSnapshot(`
    "**author · turn-1 · 7 files +15 −1,203**

    - M \`src/upload.ts\` +12 −3
    - A \`src/new.ts\` +2
    - D \`src/old.ts\` −1,200
    - M \`logo.png\` binary
    - M \`run.sh\` 100644 → 100755
    - M \`data.bin\` binary, content not kept
    - M \`a␊␛[31mb.txt\` +1

    <details><summary>Diff</summary>

    > \`\`\`\`diff
    > diff --git a/src/upload.ts b/src/upload.ts
    > index 1111111..2222222 100644
    > --- a/src/upload.ts
    > +++ b/src/upload.ts
    > @@ -1,3 +1,4 @@
    >  const kept = 1;
    > --- a/removed </pre><script>alert(1)</script>
    > +const limit = \`␛[2J<U+202E>\`;
    > +\`\`\`
    >  end
    > diff --git a/src/new.ts b/src/new.ts
    > new file mode 100644
    > index 0000000..3333333
    > --- /dev/null
    > +++ b/src/new.ts
    > @@ -0,0 +1,2 @@
    > +one
    > +two
    > \`\`\`\`

    </details>

    *Changed between turns: README.md, b.ts, c.ts and 1 more.*

    "
  `);
});
