import { tmpdir } from 'node:os';
import { describe, expect, test } from 'vitest';
import { createConversation, resumeConversation } from '../src/createConversation.js';
import type { ConversationId } from '../src/models/ids.js';
import type { Team } from '../src/models/Team.js';
import { MemoryStore } from '../src/store/memory/MemoryStore.js';
import { ConversationExistsError } from '../src/store/storeErrors.js';
import { agent, person, team } from './coordinator/teams.js';

/** As JavaScript may have it: without a limit that the type asks for. */
function teamWith(parallel: unknown): Team {
  const { limits, ...rest } = team([person(), agent('max')]);
  return { ...rest, limits: { ...limits, parallel: parallel as number } };
}

describe('a team that lets no agent work', () => {
  test.each([undefined, 0, Number.NaN, '8 of them'])('is refused: parallel is %s', async (parallel) => {
    const store = new MemoryStore();
    const options = { team: teamWith(parallel), workingFolder: tmpdir(), store, rehearsal: {} };
    const refusal = {
      code: 'INVALID_OPTION',
      message: expect.stringContaining(`team.limits.parallel must be a number of at least 1`),
    };
    await expect(createConversation(options)).rejects.toMatchObject(refusal);
    expect(await store.list({ limit: 1 })).toEqual({ summaries: [] });
    const id = 'unknown' as ConversationId;
    await expect(resumeConversation({ ...options, id })).rejects.toMatchObject(refusal);
  });
});

describe('an id of your own', () => {
  const options = { team: team([person(), agent('max')]), workingFolder: tmpdir(), rehearsal: {} };

  test('is that of the conversation, also when it is opened again', async () => {
    const store = new MemoryStore();
    const id = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
    const conversation = await createConversation({ ...options, store, id });
    expect(conversation.id).toBe(id);
    expect((await store.list({ limit: 1 })).summaries).toMatchObject([{ id }]);
    await conversation.send('Hello');
    await conversation.settled();
    await conversation.close();
    const again = await resumeConversation({ ...options, store, id: conversation.id });
    expect(again.snapshot().messages).toHaveLength(2);
    await again.close();
  });

  test('that is taken is refused, and the conversation that has it stays as it is', async () => {
    const store = new MemoryStore();
    const first = await createConversation({ ...options, store, id: 'mine' });
    await first.close();
    const second = createConversation({ ...options, store, id: 'mine' });
    await expect(second).rejects.toBeInstanceOf(ConversationExistsError);
    const again = await resumeConversation({ ...options, store, id: first.id });
    await again.close();
  });

  test.each(['', '../outside', 'a/b', 'a b', 'x'.repeat(65), 'a.b', 'ä', 'a\n'])(
    '%j is refused, and nothing is stored',
    async (id) => {
      const store = new MemoryStore();
      const refusal = {
        code: 'INVALID_OPTION',
        message: expect.stringContaining('id must be 1 to 64 letters, digits and hyphens'),
      };
      await expect(createConversation({ ...options, store, id })).rejects.toMatchObject(refusal);
      expect(await store.list({ limit: 1 })).toEqual({ summaries: [] });
    },
  );
});
