import { tmpdir } from 'node:os';
import { describe, expect, test } from 'vitest';
import { createConversation, resumeConversation } from '../src/createConversation.js';
import type { ConversationId } from '../src/models/ids.js';
import type { Team } from '../src/models/Team.js';
import { MemoryStore } from '../src/store/memory/MemoryStore.js';
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
