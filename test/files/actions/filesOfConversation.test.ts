import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { defineTeam } from '../../../src/config/defineTeam.js';
import { createConversation } from '../../../src/createConversation.js';
import type { ConversationEvent } from '../../../src/models/ConversationEvent.js';
import { makeRepository } from '../repository.js';

/** A conversation in which ada writes her message into a file. */
async function start(script = "require('fs').writeFileSync('a.txt', 'ada\\n')") {
  const place = makeRepository({ 'a.txt': 'one\n' });
  const team = await defineTeam({
    version: 1,
    members: [
      { name: 'kim', type: 'human' },
      {
        name: 'ada',
        type: 'ai',
        agentType: 'command',
        command: [process.execPath, '-e', `${script}; console.log('Done.')`],
        permission: 'edit',
      },
    ],
  });
  const { folder: workingFolder, dataFolder } = place;
  const conversation = await createConversation({ team, workingFolder, dataFolder });
  return { place, conversation };
}

test('a program sees, undoes and redoes what a turn changed', async () => {
  const { place, conversation } = await start();
  const events: ConversationEvent[] = [];
  conversation.subscribe((event) => events.push(event));
  await conversation.send('Go. [NEXT: ada]');
  await conversation.settled();
  expect((await conversation.files()).units.map(({ names }) => names)).toEqual([['turn-1']]);
  expect((await conversation.diff()).patch).toContain('-one\n+ada\n');
  const planned = await conversation.undo('1', { dryRun: true });
  expect(planned).toMatchObject({ of: ['turn-1'], files: [{ path: 'a.txt', action: 'write' }] });
  expect(planned.id).toBeUndefined();
  expect(place.read('a.txt')).toBe('ada\n');
  expect(await conversation.undo()).toMatchObject({ id: 'undo-1' });
  expect(place.read('a.txt')).toBe('one\n');
  expect(events.at(-1)).toMatchObject({
    type: 'files-recorded',
    by: { kind: 'undo', id: 'undo-1', of: ['turn-1'], memberId: 'kim' },
    files: [{ path: 'a.txt', change: 'update' }],
  });
  await expect(conversation.undo()).rejects.toMatchObject({ code: 'NOTHING_TO_UNDO' });
  expect(await conversation.undo('undo-1')).toMatchObject({ id: 'undo-2' });
  expect(place.read('a.txt')).toBe('ada\n');
  await expect(conversation.apply('1')).rejects.toMatchObject({ code: 'NOT_A_COPY' });
  await conversation.close();
});

test('what a person changed before an undo is recorded as of others, so that it is known', async () => {
  const { place, conversation } = await start();
  await conversation.send('Go. [NEXT: ada]');
  await conversation.settled();
  writeFileSync(join(place.folder, 'a.txt'), 'kim\n');
  const error = await conversation.undo('1').catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({
    code: 'FILES_CHANGED_SINCE',
    facts: { total: 1, files: [{ path: 'a.txt' }], look: 'huddle diff 1..' },
  });
  expect(place.read('a.txt')).toBe('kim\n');
  expect((await conversation.files()).units.at(-1)?.by).toEqual({ kind: 'others' });
  await conversation.close();
});

test('nothing is undone while a turn runs; what it ended with is waited for', async () => {
  const { place, conversation } = await start(
    "require('fs').writeFileSync('a.txt', 'ada\\n'); while (!require('fs').existsSync('go')) {}",
  );
  const started = new Promise<void>((resolve) => {
    conversation.subscribe(({ type }) => {
      if (type === 'turn-start') resolve();
    });
  });
  const ended = new Promise<void>((resolve) => {
    conversation.subscribe(({ type }) => {
      if (type === 'turn-end') resolve();
    });
  });
  await conversation.send('Go. [NEXT: ada]');
  await started;
  await expect(conversation.undo()).rejects.toMatchObject({
    code: 'FILES_BUSY',
    facts: { turns: ['turn-1'] },
  });
  place.write({ go: '' });
  await ended;
  // The answer is there, its record perhaps not yet.
  expect((await conversation.diff('1')).files.map(({ path }) => path)).toContain('a.txt');
  await conversation.close();
});
