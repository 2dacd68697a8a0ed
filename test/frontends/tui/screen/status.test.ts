import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { english } from '../../../../src/catalogue/english.js';
import { renderStatus } from '../../../../src/frontends/tui/paint/renderLive.js';
import { createTheme } from '../../../../src/frontends/tui/paint/theme.js';
import { createScreen } from '../../../../src/frontends/tui/screen/Screen.js';
import { describeStatus } from '../../../../src/frontends/tui/screen/status.js';
import type { ConversationEvent } from '../../../../src/models/ConversationEvent.js';
import type { MemberId, MessageId, TurnId } from '../../../../src/models/ids.js';
import { MemoryStore } from '../../../../src/store/memory/MemoryStore.js';
import { ID } from '../../../store/facts.js';
import { resumeWith, says, startWith } from '../../../store/stage.js';
import { activity, emptyScreen, fact, follow, progress, teamOf, turnEnd, turnStart } from '../events.js';

const paused = (limit: 'usd' | 'agentTurns' | 'checkRounds', max: number) =>
  fact({ type: 'conversation-pause', reason: { kind: 'limit', limit, count: max, max } });

const queued = (...names: string[]) =>
  fact({
    type: 'turns-queued',
    place: 'back',
    turns: names.map((name, index) => ({
      turnId: `turn-${index + 7}` as TurnId,
      memberId: name as MemberId,
      triggeredBy: 'msg-1' as MessageId,
    })),
  });

function statusOf(events: readonly ConversationEvent[], now = 0, limits = {}) {
  return describeStatus(follow(events, emptyScreen(teamOf(limits))).screen, now, english);
}

describe('describeStatus', () => {
  it('counts the files of the first look at a folder, until it is over or a turn runs', () => {
    const looking = (files: number, isDone?: true): ConversationEvent => ({
      type: 'files-progress',
      v: 1,
      at: 0,
      files,
      isDone,
    });
    expect(statusOf([looking(1), looking(42_000)])).toMatchObject({
      isBusy: false,
      now: 'looking at this folder for the first time',
      figures: ['42,000 files'],
      hint: 'Esc to skip',
    });
    expect(statusOf([queued('max'), looking(42_000)])).toMatchObject({ isBusy: true, hint: 'Esc to skip' });
    expect(statusOf([looking(9), turnStart()])).toMatchObject({
      now: 'max is thinking',
      hint: 'Esc to stop',
    });
    expect(statusOf([looking(42_000), looking(42_000, true)])).toEqual(statusOf([]));
  });

  it('says what every wait waits for', () => {
    const cases: Array<[string, ConversationEvent[]]> = [
      ['ready', []],
      ['max is thinking', [turnStart()]],
      ['max is replying', [turnStart(), progress({ type: 'text-delta', text: 'a' })]],
      [
        'max is running Bash',
        [turnStart(), activity({ type: 'tool-start', toolId: 't', name: 'Bash', input: '' })],
      ],
      ['max is retrying', [turnStart(), activity({ type: 'retry', message: 'overloaded' })]],
      [
        'max needs approval: Bash',
        [
          turnStart(),
          activity({ type: 'permission-request', requestId: 'r', name: 'Bash', input: '', isOpen: true }),
        ],
      ],
      ['max, sarah are working', [turnStart(), turnStart('turn-2', 'sarah')]],
      ['stopping max', [turnStart(), fact({ type: 'conversation-pause', reason: { kind: 'cancelled' } })]],
      [
        'max is thinking, will pause after this turn',
        [turnStart(), fact({ type: 'conversation-pause', reason: { kind: 'asked' } })],
      ],
      ['Paused: 20 agent turns in a row', [paused('agentTurns', 20)]],
      ['Paused: 5 US dollars spent', [paused('usd', 5)]],
      ['Paused: 3 failed checks in a row', [paused('checkRounds', 3)]],
      [
        'Paused: files changed during the turn of a read-only member',
        [
          fact({
            type: 'conversation-pause',
            reason: { kind: 'reader', memberId: 'sarah' as MemberId, turnId: 'turn-1' as TurnId },
          }),
        ],
      ],
      [
        'waiting for you',
        [fact({ type: 'waiting-for-human', memberIds: ['kailai' as MemberId], named: false })],
      ],
      [
        'waiting for kailai',
        [fact({ type: 'waiting-for-human', memberIds: ['kailai' as MemberId], named: true })],
      ],
    ];
    expect(cases.map(([, events]) => statusOf(events).now)).toEqual(cases.map(([now]) => now));
  });

  it('shows who is next, the time, money against the cap, tokens and turns', () => {
    const usage = {
      inputTokens: 3000,
      cachedInputTokens: 0,
      outputTokens: 210,
      usd: 0.42,
      price: 'reported',
    } as const;
    const events = [
      turnStart(),
      turnEnd({ kind: 'completed', messageId: null }, { usage }),
      turnStart('turn-2', 'sarah', 1000),
      queued('max', 'sarah', 'max', 'sarah', 'max'),
    ];
    expect(statusOf(events, 13_500, { usd: 5, tokens: 1_000_000 })).toEqual({
      isBusy: true,
      now: 'sarah is thinking',
      tone: 'plain',
      figures: [
        'next max, sarah, max and 2 more',
        '12 s',
        '$0.42 of $5.00',
        '3.2k of 1M tokens',
        '2 of 20 turns in a row',
      ],
      hint: 'Esc to stop',
    });
  });

  it('names the members whose cost is not in the sum, as far as a price would help', () => {
    const usage = { inputTokens: 1, cachedInputTokens: 0, outputTokens: 1, price: 'unknown' } as const;
    const events = [turnStart(), turnEnd({ kind: 'completed', messageId: null }, { usage })];
    const figuresOf = (agentType: string) => {
      const team = teamOf({ usd: 5 });
      const members = team.members.map((member) =>
        member.type === 'ai' ? { ...member, agentType } : member,
      );
      return describeStatus(follow(events, emptyScreen({ ...team, members })).screen, 0, english).figures;
    };
    expect(figuresOf('openai-codex')).toContain('no price for max (/cost)');
    expect(figuresOf('claude-code')).not.toContain('no price for max (/cost)');
  });

  it('is busy while the next turn is about to start, so that nobody is asked for words', () => {
    expect(statusOf([queued('sarah')])).toMatchObject({ isBusy: true, now: 'sarah is thinking' });
    expect(statusOf([queued('sarah'), paused('usd', 5)])).toMatchObject({ isBusy: false });
  });

  it('offers what leads on in every pause, and nothing that does not', () => {
    const pause = (kind: 'asked' | 'cancelled' | 'reopened') =>
      fact({ type: 'conversation-pause', reason: { kind } });
    const stopped = [turnStart(), turnEnd({ kind: 'cancelled', draft: '' })];
    const cases: Array<[string, ConversationEvent[]]> = [
      ['Enter to continue', [queued('max'), paused('usd', 5)]],
      ['Enter to continue', [queued('max'), pause('asked')]],
      ['Enter to continue', [pause('asked')]],
      ['Enter to continue', [queued('max'), pause('reopened')]],
      ['Enter to continue', [...stopped, queued('max'), pause('cancelled')]],
      ['/retry to rerun', [...stopped, pause('cancelled')]],
      ['/retry to rerun', [...stopped, pause('asked')]],
      ['/retry to rerun', stopped],
      ['', []],
    ];
    expect(cases.map(([, events]) => statusOf(events).hint)).toEqual(cases.map(([hint]) => hint));
  });

  it('says after 15 s that a turn gives no sign, unless it waits for a person', () => {
    const tool = activity({ type: 'tool-start', toolId: 't', name: 'Bash', input: '' });
    const ask = {
      type: 'permission-request',
      requestId: 'r',
      name: 'Bash',
      input: '',
      isOpen: true,
    } as const;
    const stop = fact({ type: 'conversation-pause', reason: { kind: 'cancelled' } });
    const silent = 'max: no output for 40 s';
    expect(statusOf([turnStart()], 14_999).silence).toBeUndefined();
    expect(statusOf([turnStart()], 40_900)).toMatchObject({ now: 'max is thinking', silence: silent });
    expect(statusOf([turnStart(), tool], 40_000)).toMatchObject({ now: 'max is running Bash' });
    expect(statusOf([turnStart(), tool], 40_000).silence).toBeUndefined();
    expect(statusOf([turnStart(), tool], 40_000).figures[0]).toBe(silent);
    expect(statusOf([turnStart(), activity(ask)], 40_000).figures).not.toContain(silent);
    expect(statusOf([turnStart(), stop], 40_000)).toMatchObject({ now: 'stopping max' });
    expect(statusOf([turnStart(), stop], 40_000).silence).toBeUndefined();
    const two = follow([turnStart(), turnStart('turn-2', 'sarah')], emptyScreen(teamOf())).screen;
    const status = describeStatus(two, 40_000, english, (turnId) =>
      turnId === 'turn-2' ? 39_000 : undefined,
    );
    expect(status).toMatchObject({ now: 'max, sarah are working' });
    expect(status.figures.slice(0, 2)).toEqual([silent, '40 s']);
  });

  it('shows no tokens and no money of simulated agents', () => {
    const usage = {
      inputTokens: 1,
      cachedInputTokens: 0,
      outputTokens: 1,
      usd: 1,
      price: 'reported',
    } as const;
    const events = [turnStart(), turnEnd({ kind: 'completed', messageId: null }, { usage })];
    const { screen } = follow(events, { ...emptyScreen(teamOf({ usd: 5, tokens: 9 })), isRehearsal: true });
    expect(describeStatus(screen, 0, english).figures).toEqual(['1 of 20 turns in a row']);
  });
});

describe('renderStatus', () => {
  const status = {
    isBusy: false,
    tone: 'quiet' as const,
    now: 'ready',
    figures: ['$1.00 of $5.00', '3.2k tokens'],
    hint: 'Esc to stop',
  };
  const draw = (width: number) =>
    stripVTControlCharacters(renderStatus(status, { width, frame: 0, theme: createTheme(true, english) }));

  it('leaves out figures for which there is no room, the last first, and keeps a column free', () => {
    expect(draw(60)).toBe('  ready · $1.00 of $5.00 · 3.2k tokens          Esc to stop');
    expect(draw(40)).toBe('  ready · $1.00 of $5.00    Esc to stop');
    expect(draw(24)).toBe('  ready     Esc to stop');
  });
});

it('counts the turns of agents on when a conversation is opened again', async () => {
  const [store, team] = [new MemoryStore(), teamOf()];
  const first = await startWith(store, team, () => says('Done.'), ID);
  await first.send('[NEXT: max, sarah] Go.');
  await first.settled();
  await first.close();
  const again = await resumeWith(store, ID, team, () => says('Again.'));
  const { figures } = describeStatus(createScreen(team, again.snapshot()), 0, english);
  expect(figures).toContain('2 of 20 turns in a row');
});
