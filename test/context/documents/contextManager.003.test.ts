import { describe, expect, it, vi } from 'vitest';
import {
  type AssemblerInput,
  ClaudeContextAssembler,
  CodexContextAssembler,
  ContextManager,
  type ContextSnapshot,
  type ConversationMessage,
  GeminiContextAssembler,
  InvalidSnapshotError,
  normalizeAgentType,
  PlainTextAssembler,
} from '../../../src/index.js';
import { createLogKeeper, inputOf, max, sarah, user } from './samples.js';

const TASK_LIMIT = 5 * 1024;

/** A manager that has been told these texts, all by the user. */
function managerWith(contents: readonly string[], speaker = user): ContextManager {
  const manager = new ContextManager();
  for (const content of contents) manager.addMessage({ content, speaker });
  return manager;
}

/** What a message looks like to the member that gets it. */
function currentAfter(content: string, speaker = user): string {
  return managerWith([content], speaker).getContextForAgent('sarah', 'claude').currentMessage;
}

function contentsSeen(input: AssemblerInput): string[] {
  return input.contextMessages.map(({ content }) => content);
}

describe('003 §2.5 constants', () => {
  it('keeps five messages of history by default', () => {
    const manager = managerWith(['1', '2', '3', '4', '5', '6', '7']);
    expect(contentsSeen(manager.getContextForAgent('max', 'claude'))).toStrictEqual([
      '2',
      '3',
      '4',
      '5',
      '6',
    ]);
  });

  it('has a budget of 768 KB by default', () => {
    expect(new ContextManager().getContextForAgent('max', 'claude').maxBytes).toBe(786_432);
  });

  it('limits the team task to 5 KB', () => {
    const manager = new ContextManager({ logger: {} });
    manager.setTeamTask('x'.repeat(TASK_LIMIT + 1));
    expect(manager.getTeamTask()).toBe('x'.repeat(5120));
  });
});

describe('003 §4.1 addMessage', () => {
  it('stores and returns the message with a generated id', () => {
    const manager = new ContextManager();
    const message = manager.addMessage({ content: 'Hi', speaker: user, timestamp: 7 });
    expect(message).toStrictEqual({ id: 'msg-1', content: 'Hi', speaker: user, timestamp: 7 });
    expect(manager.getMessages()).toStrictEqual([message]);
  });

  it('counts the ids up from msg-1', () => {
    const ids = managerWith(['a', 'b', 'c'])
      .getMessages()
      .map(({ id }) => id);
    expect(ids).toStrictEqual(['msg-1', 'msg-2', 'msg-3']);
  });

  it.each([
    ['null', null, 'Message cannot be null or undefined'],
    ['undefined', undefined, 'Message cannot be null or undefined'],
    ['a number as content', { content: 123, speaker: user }, 'Message content must be a string'],
    ['no content', { speaker: user }, 'Message content must be a string'],
    ['no speaker', { content: 'Hi' }, 'Message speaker is required'],
    ['null as speaker', { content: 'Hi', speaker: null }, 'Message speaker is required'],
    ['a speaker without roleId', { content: 'Hi', speaker: {} }, 'Message speaker.roleId is required'],
    ['an empty roleId', { content: 'Hi', speaker: { roleId: '' } }, 'Message speaker.roleId is required'],
  ])('throws a TypeError on %s', (_case, message, text) => {
    const manager = new ContextManager();
    expect(() => manager.addMessage(message as never)).toThrow(new TypeError(text));
    expect(manager.getMessages()).toStrictEqual([]);
  });

  it('spends no id on a message it refuses', () => {
    const manager = new ContextManager();
    expect(() => manager.addMessage(null as never)).toThrow(TypeError);
    expect(manager.addMessage({ content: 'Hi', speaker: user }).id).toBe('msg-1');
  });

  it('accepts an empty text', () => {
    expect(managerWith(['']).getMessages()[0]?.content).toBe('');
  });

  it('calls onMessageAdded with the stored message', () => {
    const heard: ConversationMessage[] = [];
    const manager = new ContextManager({ onMessageAdded: (message) => heard.push(message) });
    const message = manager.addMessage({ content: 'Hi', speaker: user });
    expect(heard).toHaveLength(1);
    expect(heard[0]).toBe(message);
  });
});

describe('003 §4.2 getMessages', () => {
  it('returns an empty array initially', () => {
    expect(new ContextManager().getMessages()).toStrictEqual([]);
  });

  it('returns a shallow copy: the list is new, the messages are the same', () => {
    const manager = managerWith(['a', 'b']);
    const copy = manager.getMessages();
    expect(copy[0]).toBe(manager.getMessages()[0]);
    copy.length = 0;
    expect(manager.getMessages()).toHaveLength(2);
  });
});

describe('003 §4.3 getLatestMessage', () => {
  it('returns null when empty', () => {
    expect(new ContextManager().getLatestMessage()).toBeNull();
  });

  it('returns the last message', () => {
    const manager = managerWith(['first', 'last']);
    expect(manager.getLatestMessage()).toBe(manager.getMessages()[1]);
  });
});

describe('003 §4.4 setTeamTask and §4.5 getTeamTask', () => {
  it('has no task initially', () => {
    expect(new ContextManager().getTeamTask()).toBeNull();
  });

  it('stores the task', () => {
    const manager = new ContextManager();
    manager.setTeamTask('Design a login');
    expect(manager.getTeamTask()).toBe('Design a login');
  });

  it('leaves a task of exactly 5 KB alone, without a warning', () => {
    const logger = createLogKeeper();
    const manager = new ContextManager({ logger });
    manager.setTeamTask('x'.repeat(TASK_LIMIT));
    expect(manager.getTeamTask()).toBe('x'.repeat(TASK_LIMIT));
    expect(logger.lines).toStrictEqual([]);
  });

  it('counts bytes of UTF-8, not characters, and never splits one', () => {
    const manager = new ContextManager({ logger: {} });
    manager.setTeamTask('任'.repeat(2000));
    expect(manager.getTeamTask()).toBe('任'.repeat(1706));
  });

  it('warns on the console when it truncates, with both sizes', () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    new ContextManager().setTeamTask('任'.repeat(2000));
    expect(warn.mock.calls).toStrictEqual([
      ['[ContextManager] TeamTask exceeded 5KB limit (6000 bytes), truncated to 5118 bytes'],
    ]);
  });

  it('calls onTeamTaskChanged with the task as stored', () => {
    const heard: (string | null)[] = [];
    const manager = new ContextManager({ logger: {}, onTeamTaskChanged: (task) => heard.push(task) });
    manager.setTeamTask('Build it');
    manager.setTeamTask('x'.repeat(TASK_LIMIT + 9));
    expect(heard).toStrictEqual(['Build it', 'x'.repeat(TASK_LIMIT)]);
  });
});

describe('003 §4.6 getContextForAgent', () => {
  it('returns the empty context with its six keys when there are no messages', () => {
    const manager = new ContextManager();
    manager.setTeamTask('Build it');
    const options = { systemInstruction: 'You are Max', instructionFileText: 'Be brief' };
    expect(manager.getContextForAgent('max', 'claude', options)).toStrictEqual({
      contextMessages: [],
      currentMessage: '',
      teamTask: 'Build it',
      systemInstruction: 'You are Max',
      instructionFileText: 'Be brief',
      maxBytes: 786_432,
    });
  });

  it('returns the six documented keys and no other', () => {
    const manager = managerWith(['Hi', 'What now?']);
    expect(manager.getContextForAgent('max', 'claude')).toStrictEqual({
      contextMessages: [{ from: 'User', to: 'all', content: 'Hi' }],
      currentMessage: 'What now?',
      teamTask: null,
      systemInstruction: undefined,
      instructionFileText: undefined,
      maxBytes: 786_432,
    });
  });

  it('gives the first message no context', () => {
    expect(managerWith(['Hi']).getContextForAgent('max', 'claude').contextMessages).toStrictEqual([]);
  });

  it('applies contextWindowSize to the messages before the latest', () => {
    const manager = new ContextManager({ contextWindowSize: 2 });
    for (const content of ['1', '2', '3', '4']) manager.addMessage({ content, speaker: user });
    const input = manager.getContextForAgent('max', 'claude');
    expect(contentsSeen(input)).toStrictEqual(['2', '3']);
    expect(input.currentMessage).toBe('4');
  });

  it.each([
    [1, ['6']],
    [3, ['4', '5', '6']],
    [6, ['1', '2', '3', '4', '5', '6']],
    [100, ['1', '2', '3', '4', '5', '6']],
  ])('respects a windowSizeOverride of %i', (windowSizeOverride, seen) => {
    const manager = managerWith(['1', '2', '3', '4', '5', '6', '7']);
    expect(contentsSeen(manager.getContextForAgent('max', 'claude', { windowSizeOverride }))).toStrictEqual(
      seen,
    );
  });

  it('strips markers from context messages', () => {
    const manager = managerWith(['[FROM: User] Hi [NEXT: max]', 'Bye']);
    expect(contentsSeen(manager.getContextForAgent('max', 'claude'))).toStrictEqual(['Hi']);
  });

  it('strips markers from the current message', () => {
    expect(currentAfter('Hi [NEXT: max]')).toBe('Hi');
  });

  it('keeps the raw text in the store (decision 2)', () => {
    expect(managerWith(['Hi [NEXT: max]']).getLatestMessage()?.content).toBe('Hi [NEXT: max]');
  });

  it('passes systemInstruction and instructionFileText as they are', () => {
    const options = { systemInstruction: '  You are Max ', instructionFileText: '\nBe brief\n' };
    expect(managerWith(['Hi']).getContextForAgent('max', 'claude', options)).toMatchObject(options);
  });

  it('passes maxBytes to the output', () => {
    const manager = new ContextManager({ maxBytes: 1234 });
    manager.addMessage({ content: 'Hi', speaker: user });
    expect(manager.getContextForAgent('max', 'claude').maxBytes).toBe(1234);
  });

  it.each(['claude', 'codex', 'gemini', 'claude-code', 'custom-agent'])(
    'gives %s the same context',
    (type) => {
      const manager = managerWith(['Hi', 'What now?']);
      expect(manager.getContextForAgent('max', type)).toStrictEqual(
        manager.getContextForAgent('max', 'claude-code'),
      );
    },
  );
});

describe('003 §4.6.1 formatAddressees', () => {
  it.each([
    [undefined, 'all'],
    [[], 'all'],
    [['max'], 'max'],
    [['max', 'sarah'], 'max, sarah'],
    [['max', 'sarah', 'carol'], 'max, sarah, carol'],
  ])('renders %j as %j', (resolvedAddressees, to) => {
    const manager = new ContextManager();
    const routing = resolvedAddressees === undefined ? {} : { resolvedAddressees };
    manager.addMessage({ content: 'Hi', speaker: user, routing });
    manager.addMessage({ content: 'Bye', speaker: user });
    expect(manager.getContextForAgent('max', 'claude').contextMessages).toStrictEqual([
      { from: 'User', to, content: 'Hi' },
    ]);
  });

  it('renders null, as it comes out of JSON, as all', () => {
    const manager = new ContextManager();
    manager.addMessage({ content: 'Hi', speaker: user, routing: { resolvedAddressees: null as never } });
    manager.addMessage({ content: 'Bye', speaker: user });
    expect(manager.getContextForAgent('max', 'claude').contextMessages).toStrictEqual([
      { from: 'User', to: 'all', content: 'Hi' },
    ]);
  });
});

describe('003 §4.6.2 stripAllMarkers, as decisions 2 to 4 read it', () => {
  it.each([
    ['a FROM marker', '[FROM: User] Hi', 'Hi'],
    ['a NEXT marker', 'Hi [NEXT: max]', 'Hi'],
    ['a NEXT marker with several names', 'Hi [NEXT: max, sarah]', 'Hi'],
    ['an empty NEXT marker', 'Hi [NEXT:]', 'Hi'],
    ['a marker without a space', 'Hi [NEXT:max]', 'Hi'],
    ['markers of any case', '[from: User] Hi [next: max]', 'Hi'],
    ['a task block to the end', 'Hi\n[TEAM_TASK] Build it', 'Hi'],
    ['a task block to the next marker', '[TEAM_TASK] Build it [NEXT: max] now', 'now'],
    ['a task block to the first blank line', '[TEAM_TASK]\nBuild it\n\nHi', 'Hi'],
    ['an inline task', '[TEAM_TASK: Build it] Hi', 'Hi'],
    ['all three kinds', '[FROM: User] Hi [NEXT: max]\n[TEAM_TASK] Build it', 'Hi'],
    ['a marker in mid-sentence, leaving one space', 'Hello [NEXT: max] world', 'Hello world'],
    ['the wide gap round a marker, leaving one space', 'a   [NEXT: x]   b', 'a b'],
    ['the line a marker had to itself', 'Line 1\n[NEXT: a]\nLine 2', 'Line 1\nLine 2'],
    ['full-width markers', 'Hi ［NEXT：max、sarah］', 'Hi'],
  ])('removes %s', (_case, content, stripped) => {
    expect(currentAfter(content)).toBe(stripped);
  });

  it.each([
    ['indentation and blank lines of code', 'def f():\n    if x:\n        return 1\n\n    return 2'],
    ['double spaces', 'a  b   c'],
    ['trailing spaces inside the text', 'a  \nb'],
    ['brackets that are no markers', 'array[0] and [link](url) and [NOTE: x]'],
    ['a FROM marker without a name', 'a [FROM:] b'],
    ['a marker in fenced code', '```\n[NEXT: max]\n```'],
    ['a marker in inline code', 'write `[NEXT: max]` to hand over'],
    ['a marker in a block quote', '> [NEXT: max]'],
    ['a marker behind a backslash, with the backslash', 'write \\[NEXT: max] to hand over'],
  ])('leaves %s byte for byte', (_case, content) => {
    expect(currentAfter(content)).toBe(content);
  });

  it('touches nothing but the place of the marker: blank lines and indentation beside it survive', () => {
    expect(currentAfter('def f():\n\n    return  1\n[NEXT: max]')).toBe('def f():\n\n    return  1');
  });

  it('trims the ends', () => {
    expect(currentAfter('  Hi \n')).toBe('Hi');
  });

  it('takes only the marker, not the text, of a task that an agent writes (decision 3)', () => {
    expect(currentAfter('[TEAM_TASK] Build it', max)).toBe('Build it');
  });
});

describe('003 §4.7 deduplication', () => {
  it('deduplicates AI→AI context: same speaker, same text', () => {
    const manager = managerWith(['Hi']);
    manager.addMessage({ content: 'Hello!', speaker: max });
    manager.addMessage({ content: 'Hello!', speaker: max });
    const input = manager.getContextForAgent('sarah', 'claude');
    expect(contentsSeen(input)).toStrictEqual(['Hi']);
    expect(input.currentMessage).toBe('Hello!');
  });

  it('compares the texts without their markers', () => {
    const manager = managerWith(['Hello! [NEXT: sarah]', 'Hello! [NEXT: carol]'], max);
    expect(manager.getContextForAgent('sarah', 'claude').contextMessages).toStrictEqual([]);
  });

  it('does NOT deduplicate human messages', () => {
    const manager = managerWith(['Hi', 'Hi']);
    expect(contentsSeen(manager.getContextForAgent('max', 'claude'))).toStrictEqual(['Hi']);
  });

  it('does not deduplicate system messages', () => {
    const manager = managerWith(['Hi', 'Hi'], { ...user, type: 'system' });
    expect(contentsSeen(manager.getContextForAgent('max', 'claude'))).toStrictEqual(['Hi']);
  });

  it('keeps the same text of another speaker', () => {
    const manager = managerWith(['Hello!'], sarah);
    manager.addMessage({ content: 'Hello!', speaker: max });
    expect(contentsSeen(manager.getContextForAgent('carol', 'claude'))).toStrictEqual(['Hello!']);
  });

  it('keeps another text of the same speaker', () => {
    const manager = managerWith(['Hello!', 'Hello?'], max);
    expect(contentsSeen(manager.getContextForAgent('sarah', 'claude'))).toStrictEqual(['Hello!']);
  });

  it('removes only the last repetition, since only neighbours are compared', () => {
    const manager = managerWith(['Hello!', 'Hello!', 'Hello!'], max);
    expect(contentsSeen(manager.getContextForAgent('sarah', 'claude'))).toStrictEqual(['Hello!']);
  });

  it('keeps an equal message that is not the neighbour', () => {
    const manager = managerWith(['Hello!'], max);
    manager.addMessage({ content: 'Go on', speaker: user });
    manager.addMessage({ content: 'Hello!', speaker: max });
    expect(contentsSeen(manager.getContextForAgent('sarah', 'claude'))).toStrictEqual(['Hello!', 'Go on']);
  });

  it('has nothing to remove in the worked example User → Max → Sarah', () => {
    const manager = managerWith(['Hi']);
    expect(manager.getContextForAgent('max', 'claude')).toMatchObject({
      contextMessages: [],
      currentMessage: 'Hi',
    });
    manager.addMessage({ content: 'Hello!', speaker: max });
    expect(manager.getContextForAgent('sarah', 'claude')).toMatchObject({
      contextMessages: [{ from: 'User', to: 'all', content: 'Hi' }],
      currentMessage: 'Hello!',
    });
  });
});

describe('003 §4.8 clear', () => {
  it('removes all messages', () => {
    const manager = managerWith(['a', 'b']);
    manager.clear();
    expect(manager.getMessages()).toStrictEqual([]);
    expect(manager.getLatestMessage()).toBeNull();
  });

  it('resets the team task and says so', () => {
    const heard: (string | null)[] = [];
    const manager = new ContextManager({ onTeamTaskChanged: (task) => heard.push(task) });
    manager.setTeamTask('Build it');
    manager.clear();
    expect(manager.getTeamTask()).toBeNull();
    expect(heard).toStrictEqual(['Build it', null]);
  });

  it('resets the message id counter', () => {
    const manager = managerWith(['a', 'b']);
    manager.clear();
    expect(manager.addMessage({ content: 'c', speaker: user }).id).toBe('msg-1');
  });
});

describe('003 §4.9 exportSnapshot', () => {
  it('returns a serializable object of exactly four keys', () => {
    const manager = new ContextManager({ clock: () => 42 });
    manager.setTeamTask('Build it');
    manager.addMessage({
      content: 'Hi',
      speaker: user,
      timestamp: 7,
      routing: { resolvedAddressees: ['max'] },
    });
    const snapshot = manager.exportSnapshot();
    expect(snapshot).toStrictEqual({
      messages: [
        {
          id: 'msg-1',
          content: 'Hi',
          speaker: user,
          timestamp: 7,
          routing: { resolvedAddressees: ['max'] },
        },
      ],
      teamTask: 'Build it',
      timestamp: 42,
      version: 1,
    });
    expect(JSON.parse(JSON.stringify(snapshot))).toStrictEqual(snapshot);
  });
});

describe('003 §4.10 importSnapshot', () => {
  const message = (id: string) => ({ id, content: `text of ${id}`, speaker: user, timestamp: 1 });
  const snapshotOf = (...ids: string[]) =>
    ({
      messages: ids.map(message),
      teamTask: 'Build it',
      timestamp: 5,
      version: 1,
    }) as unknown as ContextSnapshot;

  it('restores messages', () => {
    const manager = managerWith(['old']);
    manager.importSnapshot(snapshotOf('msg-1', 'msg-2'));
    expect(manager.getMessages()).toStrictEqual([message('msg-1'), message('msg-2')]);
  });

  it('restores the team task and says so', () => {
    const heard: (string | null)[] = [];
    const manager = new ContextManager({ onTeamTaskChanged: (task) => heard.push(task) });
    manager.importSnapshot(snapshotOf());
    expect(manager.getTeamTask()).toBe('Build it');
    expect(heard).toStrictEqual(['Build it']);
  });

  it.each([
    [[], 'msg-1'],
    [['msg-1', 'msg-2'], 'msg-3'],
    [['msg-7', 'msg-3'], 'msg-8'],
    [['x-99', 'note'], 'msg-1'],
    [['x-99', 'msg-4', 'msg-5-b'], 'msg-5'],
  ])('after the ids %j goes on with %s', (ids, next) => {
    const manager = new ContextManager();
    manager.importSnapshot(snapshotOf(...ids));
    expect(manager.addMessage({ content: 'next', speaker: user }).id).toBe(next);
  });

  it.each([
    ['null', null],
    ['undefined', undefined],
    ['an empty object', {}],
    ['another version', { messages: [], teamTask: null, timestamp: 1, version: 2 }],
    ['the version as text', { messages: [], teamTask: null, timestamp: 1, version: '1' }],
    ['no messages', { teamTask: null, timestamp: 1, version: 1 }],
  ])('throws on %s and changes nothing', (_case, snapshot) => {
    const manager = managerWith(['kept']);
    manager.setTeamTask('kept task');
    const before = manager.getMessages();
    const attempt = () => manager.importSnapshot(snapshot as never);
    expect(attempt).toThrow(InvalidSnapshotError);
    expect(attempt).toThrow(/^Invalid snapshot format/);
    expect(manager.getMessages()).toStrictEqual(before);
    expect(manager.getTeamTask()).toBe('kept task');
  });
});

describe('003 §4.11 assemblePrompt', () => {
  const input = inputOf({
    contextMessages: [{ from: 'User', to: 'max', content: 'Hi' }],
    currentMessage: 'Go on',
    teamTask: 'Build it',
    systemInstruction: 'You are Max',
    instructionFileText: 'Be brief',
  });

  it.each([
    ['ClaudeContextAssembler', 'claude-code', new ClaudeContextAssembler()],
    ['ClaudeContextAssembler', 'claude', new ClaudeContextAssembler()],
    ['CodexContextAssembler', 'openai-codex', new CodexContextAssembler()],
    ['CodexContextAssembler', 'codex', new CodexContextAssembler()],
    ['GeminiContextAssembler', 'google-gemini', new GeminiContextAssembler()],
    ['GeminiContextAssembler', 'gemini', new GeminiContextAssembler()],
  ])('uses %s for %s, without a warning', (_name, type, assembler) => {
    const logger = createLogKeeper();
    const output = new ContextManager({ logger }).assemblePrompt(type, input);
    expect(output).toStrictEqual(assembler.assemble(input));
    expect(logger.lines).toStrictEqual([]);
  });

  it('falls back to PlainTextAssembler for an unknown type', () => {
    const output = new ContextManager({ logger: {} }).assemblePrompt('custom-agent', input);
    expect(output).toStrictEqual(new PlainTextAssembler().assemble(input));
  });

  it('warns on the console about an unknown type', () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    new ContextManager().assemblePrompt('Custom-Agent', input);
    expect(warn.mock.calls).toStrictEqual([
      [
        '[ContextManager] Unknown agentType "Custom-Agent" (normalized: "Custom-Agent"), using PlainTextAssembler',
      ],
    ]);
  });
});

describe('003 §4.12 normalizeAgentType', () => {
  it.each([
    ['claude', 'claude-code'],
    ['claude-code', 'claude-code'],
    ['codex', 'openai-codex'],
    ['openai-codex', 'openai-codex'],
    ['gemini', 'google-gemini'],
    ['google-gemini', 'google-gemini'],
    ['Claude', 'claude-code'],
    ['OPENAI-CODEX', 'openai-codex'],
    ['custom-agent', 'custom-agent'],
    ['Custom-Agent', 'Custom-Agent'],
  ])('%s is %s', (type, normalized) => {
    expect(normalizeAgentType(type)).toBe(normalized);
  });
});

describe('003 §5 a turn as the coordinator takes it', () => {
  it('stores, prepares, assembles and stores the answer', () => {
    const shown: string[] = [];
    const manager = new ContextManager({ contextWindowSize: 5, onMessageAdded: ({ id }) => shown.push(id) });
    manager.addMessage({
      content: 'Hi [NEXT: max]',
      speaker: user,
      routing: { resolvedAddressees: ['max'] },
    });
    const first = manager.getContextForAgent('max', 'claude', { systemInstruction: 'You are Max' });
    expect(manager.assemblePrompt('claude', first)).toStrictEqual({
      prompt: '[MESSAGE]\nHi',
      systemFlag: 'You are Max',
    });
    manager.addMessage({ content: 'Hello!', speaker: max });
    const second = manager.getContextForAgent('sarah', 'gemini', { systemInstruction: 'You are Sarah' });
    expect(manager.assemblePrompt('gemini', second)).toStrictEqual({
      prompt: 'Instructions:\nYou are Sarah\n\nConversation so far:\n- User: Hi\n\nYour task:\nHello!',
      systemFlag: undefined,
    });
    expect(shown).toStrictEqual(['msg-1', 'msg-2']);
  });
});

describe('003 §7.2 log lines', () => {
  it('writes one debug line for an added message', () => {
    const logger = createLogKeeper();
    new ContextManager({ logger }).addMessage({ content: 'Hi', speaker: user });
    expect(logger.lines).toStrictEqual(['debug: [ContextManager] Message added: msg-1']);
  });

  it('writes a debug line when it deduplicates', () => {
    const logger = createLogKeeper();
    const manager = new ContextManager({ logger });
    manager.addMessage({ content: 'Hello!', speaker: max });
    manager.addMessage({ content: 'Hello!', speaker: max });
    manager.getContextForAgent('sarah', 'claude');
    expect(logger.lines).toStrictEqual([
      'debug: [ContextManager] Message added: msg-1',
      'debug: [ContextManager] Message added: msg-2',
      'debug: [ContextManager] Deduplicated context for AI→AI',
    ]);
  });

  it('warns of a truncated team task', () => {
    const logger = createLogKeeper();
    new ContextManager({ logger }).setTeamTask('x'.repeat(6000));
    expect(logger.lines).toStrictEqual([
      'warn: [ContextManager] TeamTask exceeded 5KB limit (6000 bytes), truncated to 5120 bytes',
    ]);
  });

  it('warns of an unknown agent type', () => {
    const logger = createLogKeeper();
    new ContextManager({ logger }).assemblePrompt('xxx', inputOf({ currentMessage: 'Hi' }));
    expect(logger.lines).toStrictEqual([
      'warn: [ContextManager] Unknown agentType "xxx" (normalized: "xxx"), using PlainTextAssembler',
    ]);
  });
});
