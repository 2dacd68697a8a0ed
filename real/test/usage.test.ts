import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type ConversationEvent, createConversation, loadTeamFile } from '../../compiled/index.js';
import { REAL_CLIS } from '../clis.js';
import { say, USAGE } from '../model/Reply.js';
import { eventsOf, playTurn } from '../turns.js';
import { useWorkshop } from '../workshop.js';

const PIECES = ['Once upon', ' a time'];
const STORY = 'Tell me a story.';

describe('a turn of Claude Code that is stopped in the middle of a sentence', () => {
  const workshop = useWorkshop([REAL_CLIS.claude]);

  it('tells what it used until then', async () => {
    workshop().model.behave(() => ({ kind: 'say', pieces: PIECES, ending: 'hang' }));
    const cancel = new AbortController();
    const turn = await playTurn(REAL_CLIS.claude, workshop(), {
      prompt: STORY,
      signal: cancel.signal,
      watch: (event) => event.type === 'text-delta' && event.text.endsWith('time') && cancel.abort(),
    });
    expect(turn.outcome.kind).toBe('cancelled');
    expect(eventsOf(turn, 'usage').map(({ usage }) => usage)).toEqual([
      {
        inputTokens: USAGE.input + USAGE.cached,
        cachedInputTokens: USAGE.cached,
        outputTokens: expect.any(Number),
        usd: expect.any(Number),
      },
    ]);
  });

  it('counts towards limits.tokens, so that no other turn starts', async () => {
    const { workingFolder, model, environment } = workshop();
    Object.assign(process.env, environment);
    const file = join(workingFolder, 'huddle.jsonc');
    const members = [
      { name: 'kim', type: 'human' },
      { name: 'ada', type: 'ai', agentType: 'claude' },
    ];
    writeFileSync(
      file,
      JSON.stringify({ version: 1, name: 'garden', members, limits: { tokens: USAGE.input } }),
    );
    const { team } = await loadTeamFile(file);
    const conversation = await createConversation({ team, workingFolder });
    const events: ConversationEvent[] = [];
    conversation.subscribe((event) => {
      events.push(event);
      const isWriting = event.type === 'turn-progress' && event.event.type === 'text-delta';
      if (isWriting && event.event.text.endsWith('time')) conversation.cancel();
    });
    try {
      model.behave(() => ({ kind: 'say', pieces: PIECES, ending: 'hang' }));
      await conversation.send(STORY);
      await conversation.settled();
      model.behave(() => say('Never said.'));
      await conversation.send('And then?');
      expect(await conversation.settled()).toMatchObject({ kind: 'paused', reason: { limit: 'tokens' } });
      expect(events.filter(({ type }) => type === 'turn-start')).toHaveLength(1);
    } finally {
      await conversation.close();
    }
  });
});
