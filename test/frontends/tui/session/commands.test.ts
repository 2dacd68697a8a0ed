import { describe, expect, it } from 'vitest';
import { english } from '../../../../src/catalogue/english.js';
import { INITIAL_STATE } from '../../../../src/conversation/ConversationState.js';
import type { Conversation } from '../../../../src/coordinator/Conversation.js';
import { formatParagraph } from '../../../../src/frontends/lines/formatParagraph.js';
import type { CommandContext } from '../../../../src/frontends/tui/session/CommandContext.js';
import { offeredCommands } from '../../../../src/frontends/tui/session/commands.js';
import type { TerminalOptions } from '../../../../src/frontends/tui/session/TerminalOptions.js';
import type { ConversationEvent } from '../../../../src/models/ConversationEvent.js';
import type { MemberId, TurnId } from '../../../../src/models/ids.js';
import type { Paragraph } from '../../../../src/presentation/Paragraph.js';
import { openPermissions } from '../../../../src/presentation/Telling.js';
import { activity, emptyScreen, fact, follow, message, teamOf, turnEnd, turnStart } from '../events.js';
import { NO_FILES } from '../noFiles.js';

const TEAM = {
  ...teamOf(),
  members: [...teamOf().members, { id: '小明' as MemberId, name: '小明', type: 'human' as const }],
};

const USAGE = { inputTokens: 1200, cachedInputTokens: 0, outputTokens: 300 };

/** A context that writes down what a command does. */
function contextOf(events: readonly ConversationEvent[] = [], why?: TerminalOptions['why']) {
  const done: string[] = [];
  const blocks: Paragraph[] = [];
  const { screen } = follow(events, emptyScreen(TEAM));
  const conversation: Conversation = {
    id: 'c' as Conversation['id'],
    team: TEAM,
    answerPermission: async (requestId, verdict, { as } = {}) =>
      void done.push(`${verdict} ${requestId} as ${as}`),
    send: async () => {
      throw new Error('commands speak through the context');
    },
    skipLook: async () => void done.push('skipLook'),
    cancel: async () => void done.push('cancel'),
    pause: async () => void done.push('pause'),
    resume: async () => void done.push('resume'),
    retry: async () => 0,
    rename: async (title) => void done.push(`rename ${title}`),
    ...NO_FILES,
    history: async function* () {},
    subscribe: () => () => undefined,
    snapshot: () => ({ phase: { kind: 'idle' }, messages: [], teamTask: null, state: INITIAL_STATE }),
    settled: async () => ({ kind: 'idle' }),
    close: async () => undefined,
  };
  const context: CommandContext = {
    conversation,
    options: { words: english, why },
    hasKeys: true,
    ask: () => undefined,
    changedUnits: () => [],
    screen: () => screen,
    print: (printed) => blocks.push(...printed),
    send: async (text) => void done.push(`send ${text}`),
    resume: async () => void done.push('resume'),
    retry: async () => done.push('retry') - 1,
    speaker: 'kailai',
    seenQuestions: () => openPermissions(screen),
    leave: () => done.push('leave'),
  };
  return { context, done, blocks };
}

async function run(line: string, events: readonly ConversationEvent[] = []) {
  const { context, done, blocks } = contextOf(events);
  const [name, ...rest] = line.split(' ');
  const command = offeredCommands(context).find((each) => each.name === name);
  await command?.run(context, rest.join(' '));
  const texts = blocks.map((block) => ('text' in block ? block.text : block.kind));
  return { done, texts, speaker: context.speaker };
}

const pause = fact({ type: 'conversation-pause', reason: { kind: 'asked' } });
const ask = (requestId: string) =>
  activity({ type: 'permission-request', requestId, name: 'Bash', input: 'rm', isOpen: true });
const question = ask('r');

describe('commands', () => {
  it('offers those that can be carried out', () => {
    const names = (why?: TerminalOptions['why']) =>
      offeredCommands(contextOf([], why).context).map(({ name }) => name);
    expect(names()).not.toEqual(expect.arrayContaining(['why']));
    expect(names(() => '')).toEqual(expect.arrayContaining(['why', 'allow', 'deny', 'as']));
  });

  it.each([
    ['task Ship it', 'send [NEXT: kailai] [TEAM_TASK] Ship it'],
    ['next max', 'send [NEXT: max]'],
    ['next Max have a look', 'send [NEXT: Max] have a look'],
    ['next max, 小明: have a look', 'send [NEXT: max, 小明] have a look'],
    ['pause', 'pause'],
    ['retry', 'retry'],
    ['quit', 'leave'],
  ])('/%s does "%s"', async (line, effect) => {
    expect((await run(line)).done).toEqual([effect]);
  });

  it('goes on and stops only when there is something to go on with or to stop', async () => {
    expect(await run('continue', [pause])).toMatchObject({ done: ['resume'], texts: [] });
    expect(await run('continue')).toMatchObject({ done: [], texts: ['Nothing is paused.'] });
    expect(await run('cancel', [turnStart()])).toMatchObject({ done: ['cancel'], texts: [] });
    expect(await run('cancel')).toMatchObject({ done: [], texts: ['Nothing is running.'] });
  });

  it('names the members when it does not know one', async () => {
    expect(await run('next bob')).toMatchObject({
      done: [],
      texts: ['No member "bob" in this team. Members: kailai, max, sarah, 小明.'],
    });
  });

  it('changes who speaks, to people only', async () => {
    expect(await run('as 小明')).toMatchObject({ speaker: '小明', texts: ['You now speak as 小明.'] });
    expect(await run('as max')).toMatchObject({
      speaker: 'kailai',
      texts: ['No person "max" in this team. People: kailai, 小明.'],
    });
    expect(await run('as')).toMatchObject({ texts: ['You speak as kailai. People: kailai, 小明.'] });
  });

  it('prints a tool call in full, the latest without a number', async () => {
    const events = [
      turnStart(),
      activity({ type: 'tool-start', toolId: 'a', name: 'Bash', input: 'npm test' }),
      activity({ type: 'tool-end', toolId: 'a', name: 'Bash', ok: true, result: '12 passed' }),
      activity({ type: 'tool-start', toolId: 'b', name: 'Read', input: 'a.ts' }),
      activity({ type: 'tool-end', toolId: 'b', name: 'Read', ok: false, result: 'no such file' }),
    ];
    expect((await run('expand #1', events)).texts).toEqual(['npm test', '12 passed']);
    expect((await run('expand', events)).texts).toEqual(['a.ts', 'no such file']);
    expect((await run('expand 9', events)).texts).toEqual(['No tool call 9; the latest is 2.']);
    expect((await run('expand')).texts).toEqual(['No tool has been used yet.']);
  });

  it('sums up what was spent, and says how sure that is', async () => {
    const spent = [
      turnEnd({ kind: 'completed', messageId: null }, { usage: { ...USAGE, usd: 0.5, price: 'reported' } }),
      turnEnd(
        { kind: 'completed', messageId: null },
        { memberId: 'sarah' as MemberId, usage: { ...USAGE, price: 'unknown' } },
      ),
    ];
    expect((await run('cost', spent)).texts).toEqual([
      [
        'member  turns  tokens in  cached  tokens out   cost  price',
        'max         1      1,200       0         300  $0.50  1 reported',
        'sarah       1      1,200       0         300         1 unknown',
        'total       2      2,400       0         600  $0.50  1 reported, 1 unknown',
      ].join('\n'),
    ]);
  });

  it('answers the question an agent waits with', async () => {
    expect(await run('deny', [turnStart(), question])).toMatchObject({
      done: ['deny r as kailai'],
      texts: [],
    });
    expect((await run('allow', [message('kailai', 'hi')])).texts).toEqual(['No pending permission request.']);
  });

  it('answers one of several questions by its number, and never one that is gone', async () => {
    const withdrawn = fact({
      type: 'permission-decided',
      turnId: 'turn-1' as TurnId,
      memberId: 'max' as MemberId,
      requestId: 'r',
      decision: 'cancelled',
      by: { kind: 'nobody' },
    });
    const two = [turnStart(), question, ask('s')];
    expect((await run('allow', two)).texts[0]).toContain('Nothing was answered');
    expect((await run('allow 2', two)).done).toEqual(['allow s as kailai']);
    expect((await run('allow 1', [...two, withdrawn])).texts).toEqual([
      'Question 1 is no longer open. Nothing was answered.',
    ]);
    expect((await run('deny 3', two)).texts).toEqual(['No question 3. Nothing was answered.']);
    expect((await run('deny 2', [...two, withdrawn])).done).toEqual(['deny s as kailai']);
  });

  it('lists keys and commands', async () => {
    const { context, blocks } = contextOf();
    await offeredCommands(context)
      .find(({ name }) => name === 'help')
      ?.run(context, '');
    const text = blocks.map((block) => formatParagraph(block, english)).join('\n');
    expect(text).toContain('Ctrl-C twice, Ctrl-D');
    expect(text).toContain('/expand');
    expect(text).not.toContain('/why');
  });
});
