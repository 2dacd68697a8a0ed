import { expect, onTestFinished, test } from 'vitest';
import { openConversations } from '../../../../src/cli/serve/openConversations.js';
import type { Conversation } from '../../../../src/coordinator/Conversation.js';
import type { House } from '../../../../src/coordinator/Conversations.js';
import { FollowedConversation } from '../../../../src/frontends/web/live/FollowedConversations.js';
import { LiveConversation } from '../../../../src/frontends/web/live/LiveConversation.js';
import { KnownStates } from '../../../../src/frontends/web/live/LogTail.js';
import { readEnd } from '../../../../src/frontends/web/live/readBlocks.js';
import { toArray } from '../../../../src/utils/AnyIterable.js';
import { contextOf } from '../../../cli/contextOf.js';
import { deskWith, ECHO, messageOf } from './desk.js';

test('what is said while a session is being opened is told after what was said before', async () => {
  const desk = await deskWith(() => ({ max: ECHO }));
  const id = await desk.create();
  const { reader } = await desk.house.read(id);
  const live = new LiveConversation(id, await readEnd(reader, 1, new KnownStates()));
  await reader.close();
  // Another process says something that the one which follows has not read yet.
  await desk.send(id, 'Before.');
  await (await desk.stream({ conversation: id, after: 0 })).until(messageOf('max'));
  await desk.desk.close();

  const real = openConversations({}, contextOf(desk.machine));
  onTestFinished(() => real.close());
  let opened: Conversation | undefined;
  const house: Pick<House, 'open' | 'read'> = {
    open: async (...choice) => {
      opened = await real.open(...choice);
      return opened;
    },
    // Read as it was when it was opened, while it goes on.
    read: async (...query) => {
      const read = await real.read(...query);
      await opened?.send('Meanwhile.');
      await opened?.settled();
      return read;
    },
  };
  const told: number[] = [];
  const followed = new FollowedConversation(live, {
    house,
    folder: desk.machine.project,
    lookMilliseconds: 60_000,
    restMilliseconds: 60_000,
    onRecorded: ({ live: { seq } }) => void told.push(seq),
    onForgotten: () => undefined,
    onError: (error) => {
      throw error;
    },
  });
  const before = live.seq;
  await followed.write(async () => undefined);
  await followed.close();
  const log = await real.read(id);
  const events = await toArray(log.reader.read());
  await log.reader.close();
  const recorded = events.map(({ seq }) => seq).filter((seq) => seq > before);
  expect(told).toEqual(recorded);
});
