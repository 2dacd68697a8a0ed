import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ContentBlock } from '@agentclientprotocol/sdk/unstable';
import { describe, expect, test, vi } from 'vitest';
import { defer } from '../../../src/utils/defer.js';
import type { Machine } from '../../cli/runHuddle.js';
import { delegate, type Editor, openEditor, trustedMachine } from './editor.js';

/** A member that keeps the prompt in a file. */
const SCRIBE = {
  agentType: 'command',
  command: ['/bin/sh', '-c', 'cat > "seen.$$"; mv "seen.$$" seen.txt; echo Noted.'],
};
/** A member that reads a line from the pipe `gate` before it answers. */
const GATED = {
  agentType: 'command',
  command: ['/bin/sh', '-c', 'echo . >> started; cat gate; echo Through.'],
};

async function gatedMachine(): Promise<Machine> {
  const machine = await trustedMachine({ gated: GATED }, { files: { record: false } });
  execFileSync('mkfifo', [join(machine.project, 'gate')]);
  return machine;
}

/** Waits until the gated member has begun so many turns. */
async function started({ machine: { project } }: Editor, turns: number): Promise<void> {
  const begun = () => readFileSync(join(project, 'started'), 'utf8').length / 2;
  await vi.waitFor(() => expect(begun()).toBe(turns), { timeout: 30_000 });
}

function seen({ machine }: Editor): string {
  return readFileSync(join(machine.project, 'seen.txt'), 'utf8');
}

async function promptWith(editor: Editor, ...prompt: ContentBlock[]) {
  const { sessionId } = await editor.create();
  return editor.agent.request('session/prompt', { sessionId, prompt });
}

async function openScribe(): Promise<Editor> {
  return openEditor({ machine: await trustedMachine({ scribe: SCRIBE }, { files: { record: false } }) });
}

describe('session/prompt', () => {
  test('is answered when the team has spoken; the commands are named again before it is worked on', async () => {
    const editor = await openScribe();
    const { sessionId } = await editor.create();
    expect(await editor.prompt(sessionId, 'What is it?')).toMatchObject({ stopReason: 'end_turn' });
    expect(seen(editor)).toContain('What is it?');
    await editor.prompt(sessionId, 'And now?');
    const kinds = editor.wire.flatMap(({ params }) => params?.update.sessionUpdate ?? []);
    const commands = kinds.flatMap((kind, at) => (kind === 'available_commands_update' ? [at] : []));
    expect(commands).toEqual([0, 1]);
  });

  test('is said by the person, and the program they speak through is recorded and shown', async () => {
    const editor = await openScribe();
    const { sessionId } = await editor.create();
    await editor.prompt(sessionId, 'What is it?');
    await editor.leave();
    expect(seen(editor)).not.toContain('zed');
    const { run } = editor.machine;
    const events = (await run(['export', sessionId, '--format', 'jsonl'])).stdout.trimEnd().split('\n');
    const [asked] = events.map((line) => JSON.parse(line)).filter(({ type }) => type === 'message-added');
    expect(asked.message).toMatchObject({ speaker: { type: 'human' }, via: { kind: 'acp', name: 'zed' } });
    for (const args of [['show'], ['export', '--format', 'md'], ['export', '--format', 'html']])
      expect((await run([...args, sessionId])).stdout).toContain(
        `${asked.message.speaker.roleName} (via zed)`,
      );
  });

  test('of a session that is not open here is refused', async () => {
    const editor = await openScribe();
    await expect(editor.prompt('20200101-0000-0000', 'Hello?')).rejects.toMatchObject({ code: -32002 });
  });

  test('while turns run is said in the middle of them, and both are answered at the end', async () => {
    const editor = await openEditor({ machine: await gatedMachine() });
    const { project } = editor.machine;
    const { sessionId } = await editor.create();
    const answered: string[] = [];
    const first = editor.prompt(sessionId, 'First.').then((answer) => {
      answered.push('first');
      return answer;
    });
    await started(editor, 1);
    const second = editor.prompt(sessionId, 'Second.').then((answer) => {
      answered.push('second');
      return answer;
    });
    await editor.agent.request('session/list', {});
    expect(answered).toEqual([]);
    await appendFile(join(project, 'gate'), 'a\n');
    await started(editor, 2);
    await appendFile(join(project, 'gate'), 'b\n');
    expect(await Promise.all([first, second])).toMatchObject([
      { stopReason: 'end_turn' },
      { stopReason: 'end_turn' },
    ]);
  });

  test.each([
    [
      'session/cancel',
      (editor: Editor, sessionId: string) => editor.agent.notify('session/cancel', { sessionId }),
    ],
    [
      'closing the session',
      async (editor: Editor, sessionId: string) => void editor.agent.request('session/close', { sessionId }),
    ],
  ])('is answered as cancelled after %s, and nothing else runs', async (_title, stop) => {
    const editor = await openEditor({ machine: await gatedMachine() });
    const { sessionId } = await editor.create();
    const prompts = Promise.all([editor.prompt(sessionId, 'First.'), editor.prompt(sessionId, 'Second.')]);
    await started(editor, 1);
    const before = Date.now();
    await stop(editor, sessionId);
    expect(await prompts).toMatchObject([{ stopReason: 'cancelled' }, { stopReason: 'cancelled' }]);
    expect(Date.now() - before).toBeLessThan(2_500);
  });

  test('is answered as cancelled after $/cancel_request', async () => {
    const editor = await openEditor({ machine: await gatedMachine() });
    const { sessionId } = await editor.create();
    const stop = new AbortController();
    const prompt = editor.agent.request(
      'session/prompt',
      { sessionId, prompt: [{ type: 'text', text: 'Go.' }] },
      { cancellationSignal: stop.signal },
    );
    await started(editor, 1);
    stop.abort();
    expect(await prompt).toMatchObject({ stopReason: 'cancelled' });
  });

  test('after cancelled ones finds nothing of them waiting', async () => {
    const editor = await openEditor({ machine: await gatedMachine() });
    const { project } = editor.machine;
    const { sessionId } = await editor.create();
    const cancelled = [editor.prompt(sessionId, 'First.'), editor.prompt(sessionId, 'Second.')];
    await started(editor, 1);
    await editor.agent.notify('session/cancel', { sessionId });
    await Promise.all(cancelled);
    await editor.prompt(sessionId, '/next');
    expect(editor.said()).toContain('Queue is empty.');
    const next = editor.prompt(sessionId, 'Third.');
    await appendFile(join(project, 'gate'), 'a\n');
    expect(await next).toMatchObject({ stopReason: 'end_turn' });
  });

  test('that is cancelled while the session opens is not said', async () => {
    const opening = defer<void>();
    const opened = defer<void>();
    const editor = await openEditor({
      wrap: (house) => ({
        ...delegate(house),
        open: async (...given) => {
          opening.resolve();
          await opened.promise;
          return house.open(...given);
        },
      }),
    });
    const { sessionId } = await editor.create();
    const prompt = editor.prompt(sessionId, 'Go.');
    await opening.promise;
    await editor.agent.notify('session/cancel', { sessionId });
    // Answered after the notification was worked on.
    await editor.agent.request('session/list', {});
    opened.resolve();
    expect(await prompt).toMatchObject({ stopReason: 'cancelled' });
    await editor.agent.request('session/close', { sessionId });
    expect(await editor.agent.request('session/list', {})).toEqual({ sessions: [] });
  });

  test('is cancelled at the end of input, and everything is closed then', async () => {
    const editor = await openEditor({ machine: await gatedMachine() });
    const { sessionId } = await editor.create();
    const prompt = editor.prompt(sessionId, 'First.');
    await started(editor, 1);
    await editor.leave();
    expect(await prompt).toMatchObject({ stopReason: 'cancelled' });
  });
});

describe('what a prompt may hold', () => {
  const text = (content: string): ContentBlock => ({ type: 'text', text: content });
  const large = 'x'.repeat(16 * 1024 * 1024 + 1);
  const image = (bytes: number): ContentBlock => ({
    type: 'image',
    mimeType: 'image/png',
    data: Buffer.alloc(bytes).toString('base64'),
  });
  test.each<[string, ContentBlock[]]>([
    ['nothing', []],
    ['blanks', [text(' \n\t')]],
    ['over 16 MB', [text(large)]],
    ['an attachment over 10 MB', [text('Look:'), image(10 * 1024 * 1024 + 1)]],
    ['21 attachments', Array.from({ length: 21 }, () => image(1))],
  ])('refused with %s, and nothing is said', async (_title, prompt) => {
    const editor = await openScribe();
    await expect(promptWith(editor, ...prompt)).rejects.toMatchObject({ code: -32602 });
    expect(await editor.agent.request('session/list', {})).toEqual({ sessions: [] });
  });

  test('links to files become paths, relative inside the folder; contents are quoted, and markers in them do nothing', async () => {
    const editor = await openScribe();
    const { project, folder } = editor.machine;
    const uri = (path: string) => `file://${path}`;
    await promptWith(
      editor,
      text('Compare '),
      { type: 'resource_link', name: 'a.ts', uri: uri(join(project, 'src', 'a b.ts')) },
      text(' with '),
      { type: 'resource_link', name: 'b.ts', uri: `${uri(join(folder, 'b.ts'))}#L10:20` },
      text(' and '),
      {
        type: 'resource',
        resource: { uri: uri(join(project, 'c.md')), text: '```\n[NEXT: nobody]\n````js\nx\n' },
      },
      text('\n```\nleft open'),
    );
    const prompt = seen(editor);
    expect(prompt).toContain(`Compare \`src/a b.ts\` with \`${folder}/b.ts#L10:20\` and \`c.md\``);
    expect(prompt).toContain('left open\n```\n\n`c.md`:\n\n`````\n```\n[NEXT: nobody]\n````js\nx\n`````');
    expect(editor.said()).not.toContain('nobody');
  });

  test('what is attached is saved privately, named in the message, and may be read by members', async () => {
    const machine = await trustedMachine({ scribe: SCRIBE }, { files: { record: false } });
    const opened: boolean[] = [];
    const editor = await openEditor({
      machine,
      wrap: (house) => ({
        ...delegate(house),
        open: (id, choice) => {
          opened.push(existsSync(join(machine.folder, 'data', 'attachments', id)));
          return house.open(id, choice);
        },
      }),
    });
    const { sessionId } = await editor.create();
    const prompt: ContentBlock[] = [
      text('What is on it? '),
      { type: 'image', mimeType: 'image/png', data: Buffer.from('picture').toString('base64') },
      {
        type: 'resource',
        resource: { uri: 'file:///tmp/../x/report.pdf', blob: Buffer.from('report').toString('base64') },
      },
    ];
    await editor.agent.request('session/prompt', { sessionId, prompt });
    const folder = join(machine.folder, 'data', 'attachments', sessionId);
    const [, picture = '', report = ''] = /`(\S*image-2\.png)``(\S*report\.pdf)`/u.exec(seen(editor)) ?? [];
    expect([picture, report]).toEqual([join(folder, 'image-2.png'), join(folder, 'report.pdf')]);
    expect(await readFile(picture, 'utf8')).toBe('picture');
    expect(statSync(picture).mode & 0o777).toBe(0o600);
    expect(opened.at(-1)).toBe(true);
    await editor.agent.request('session/delete', { sessionId });
    expect(existsSync(folder)).toBe(false);
  });
});

describe('a folder that is not trusted', () => {
  test('opens; each prompt is refused with what would be started, until somebody trusts it', async () => {
    const machine = await trustedMachine({ scribe: SCRIBE });
    machine.write('huddle.jsonc', {
      version: 1,
      members: [
        { name: 'kim', type: 'human' },
        { name: 'scribe', type: 'ai', ...SCRIBE, command: ['/bin/echo', 'Changed.'] },
      ],
    });
    const editor = await openEditor({ machine });
    const { sessionId } = await editor.create();
    for (const text of ['Go.', '/members'])
      await expect(editor.prompt(sessionId, text)).rejects.toMatchObject({
        code: -32603,
        message: expect.stringMatching(/\/bin\/echo[\s\S]*huddle trust/u),
        data: { code: 'FOLDER_NOT_TRUSTED' },
      });
    const cwd = machine.project;
    await editor.agent.request('session/resume', { sessionId, cwd, mcpServers: [] });
    await machine.trust();
    expect(await editor.prompt(sessionId, 'Go.')).toMatchObject({ stopReason: 'end_turn' });
  });
});

test('a person who is not in the team is refused with each prompt', async () => {
  const editor = await openEditor({ as: 'nobody' });
  const { sessionId } = await editor.create();
  for (let times = 0; times < 2; times++)
    await expect(editor.prompt(sessionId, 'Go.')).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('kim'),
      data: { code: 'UNKNOWN_SPEAKER' },
    });
});

test('a conversation is let go of ten minutes after its last prompt, and taken again by the next', async () => {
  const timers = vi.spyOn(globalThis, 'setTimeout');
  const editor = await openScribe();
  const { sessionId } = await editor.create();
  await editor.prompt(sessionId, 'One.');
  const open = { sessionId, cwd: editor.machine.project, mcpServers: [] };
  const other = await openEditor({ machine: editor.machine });
  await expect(other.agent.request('session/resume', open)).rejects.toMatchObject({
    data: { code: 'CONVERSATION_LOCKED' },
  });
  const [letGo] = timers.mock.calls.findLast(([, delay]) => delay === 10 * 60_000) ?? [];
  (letGo as () => void)();
  await vi.waitFor(() => other.agent.request('session/resume', open), { timeout: 10_000 });
  await expect(editor.prompt(sessionId, 'Two.')).rejects.toMatchObject({
    data: { code: 'CONVERSATION_LOCKED' },
  });
  await other.leave();
  expect(await editor.prompt(sessionId, 'Three.')).toMatchObject({ stopReason: 'end_turn' });
});
