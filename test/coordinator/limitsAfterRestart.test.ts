import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { applyToStatus, INITIAL_STATUS } from '../../src/conversation/ConversationStatus.js';
import { loadStatus } from '../../src/coordinator/loadConversation.js';
import type { AgentEvent } from '../../src/models/AgentEvent.js';
import type { LimitName } from '../../src/models/ConversationEvent.js';
import { findReachedLimit } from '../../src/routing/limits.js';
import { SqliteStore } from '../../src/store/sqlite/SqliteStore.js';
import { toArray } from '../../src/utils/AnyIterable.js';
import { makeTemporaryFolder } from '../config/temporaryFolder.js';
import { agentNamed, factsOf, LIMITS, resumeWith, startWith, teamOf } from '../store/stage.js';

/** Where each limit is; all of them, so that a new one is not forgotten. `checkRounds` needs files: files/checks.test.ts. */
const REACHED: Readonly<Record<Exclude<LimitName, 'checkRounds'>, number>> = {
  agentTurns: 3,
  pairTurns: 3,
  sameAnswer: 3,
  tokens: 330,
  usd: 3,
};

describe.each(Object.entries(REACHED))('the limit %s', (limit, max) => {
  const team = teamOf([agentNamed('max'), agentNamed('sarah')], {
    limits: { ...LIMITS, [limit]: max },
  });
  const reason = { kind: 'limit', limit, count: max, max };

  test('is as near after a restart, from the checkpoint, as it was before', async () => {
    const store = new SqliteStore({ file: join(makeTemporaryFolder(), 'conversations.db') });
    onTestFinished(() => store.close());
    const first = await startWith(store, team, playForEver());
    await first.send('[NEXT: max] Start.');
    expect(await first.settled()).toEqual({ kind: 'paused', reason });
    const turns = (await factsOf(first, 'turn-start')).length;
    await first.close();

    const reader = await store.read(first.id);
    expect((await reader.readCheckpoint())?.seq).toBe(reader.lastSeq);
    const status = await loadStatus(reader);
    expect(status).toEqual((await toArray(reader.read())).reduce(applyToStatus, INITIAL_STATUS));
    expect(findReachedLimit(status.state.counters, team.limits)).toEqual(reason);

    const again = await resumeWith(store, first.id, team, playForEver());
    onTestFinished(() => again.close());
    expect(await again.settled()).toEqual({ kind: 'paused', reason });
    expect(await factsOf(again, 'turn-start')).toHaveLength(turns);
  });
});

/** Everybody says the same, takes as much, and hands over to the other one. */
function playForEver() {
  return async function* ({ memberName }: { readonly memberName: string }): AsyncGenerator<AgentEvent> {
    const text = `[NEXT: max, sarah] Your turn.`
      .replace(`${memberName}, `, '')
      .replace(`, ${memberName}`, '');
    yield { type: 'usage', usage: { inputTokens: 100, cachedInputTokens: 0, outputTokens: 10, usd: 1 } };
    yield { type: 'end', outcome: { kind: 'completed', text } };
  };
}
