import { describe, expect, it } from 'vitest';
import {
  ClaudeContextAssembler,
  ContextManager,
  type ContextManagerOptions,
  type ContextOptions,
  type ContextSnapshot,
  InvalidOptionError,
  InvalidSnapshotError,
} from '../../src/index.js';

type Json = Record<string, unknown>;

/** A snapshot as good as can be, to be spoilt in one place. */
function goodSnapshot(): Json & { messages: Json[] } {
  return {
    version: 1,
    timestamp: 1_700_000_000_000,
    teamTask: 'Build it',
    messages: [
      {
        id: 'msg-1',
        content: 'Hi',
        speaker: { roleId: 'kailai', roleName: 'Kailai', roleTitle: 'Owner', type: 'human' },
        timestamp: 1_700_000_000_000,
        routing: { resolvedAddressees: ['max'], claimedFrom: 'kailai' },
      },
      { id: 'msg-2', content: 'Hello', speaker: { roleId: 'max', type: 'ai' }, timestamp: 1_700_000_000_001 },
    ],
  };
}

/** The good snapshot with another value at a path such as `messages.0.speaker.type`. */
function snapshotWith(path: string, value: unknown): Json {
  const snapshot = goodSnapshot();
  const keys = path.split('.');
  const last = keys.pop() ?? '';
  let place: Json = snapshot;
  for (const key of keys) place = place[key] as Json;
  place[last] = value;
  return snapshot;
}

function nest(depth: number): unknown {
  let value: unknown = 'bottom';
  for (let level = 0; level < depth; level++) value = { deeper: value };
  return value;
}

function sparse(length: number, ...items: unknown[]): unknown[] {
  const array = [...items];
  array.length = length;
  return array;
}

function withGetter(key: string, get: () => unknown): object {
  return Object.defineProperty({ roleId: 'max', roleName: 'Max', type: 'ai' }, key, {
    get,
    enumerable: true,
  });
}

function circular(): object {
  const loop: Json = { roleId: 'max', type: 'ai' };
  loop.self = loop;
  return loop;
}

const notObjects: readonly unknown[] = [null, 0, 'text', true, [], () => 1];
const notStrings: readonly unknown[] = [null, 0, true, [], {}, Symbol('s'), 1n];
const notTimes: readonly unknown[] = [null, 'now', Number.NaN, Number.POSITIVE_INFINITY, {}, new Date('now')];

const wrongTypes: readonly (readonly [path: string, named: string, values: readonly unknown[]])[] = [
  ['version', 'version', [undefined, null, 0, 2, '1', true, {}, [1]]],
  ['messages', 'messages', [undefined, null, 0, 'text', {}, { length: 1, 0: {} }]],
  ['teamTask', 'teamTask', [0, true, [], {}]],
  ['timestamp', 'timestamp', notTimes],
  ['messages.1', 'messages[1]', [undefined, ...notObjects]],
  ['messages.1.id', 'messages[1].id', [undefined, ...notStrings, '']],
  ['messages.1.content', 'messages[1].content', [undefined, ...notStrings]],
  ['messages.1.timestamp', 'messages[1].timestamp', notTimes],
  ['messages.1.speaker', 'messages[1].speaker', [undefined, ...notObjects]],
  ['messages.0.speaker.roleId', 'messages[0].speaker.roleId', [undefined, ...notStrings, '']],
  ['messages.0.speaker.roleName', 'messages[0].speaker.roleName', notStrings],
  ['messages.0.speaker.roleTitle', 'messages[0].speaker.roleTitle', notStrings],
  [
    'messages.0.speaker.type',
    'messages[0].speaker.type',
    [null, 0, '', 'HUMAN', 'robot', {}, '__proto__', 'constructor'],
  ],
  ['messages.0.routing', 'messages[0].routing', notObjects],
  ['messages.0.routing.claimedFrom', 'messages[0].routing.claimedFrom', notStrings],
  [
    'messages.0.routing.resolvedAddressees',
    'messages[0].routing.resolvedAddressees',
    [null, 'max', { 0: 'max' }],
  ],
  [
    'messages.0.routing.resolvedAddressees.0',
    'messages[0].routing.resolvedAddressees[0]',
    [undefined, ...notStrings],
  ],
];

const hostile: readonly (readonly [what: string, path: string, snapshot: unknown])[] = [
  ['nothing', 'snapshot', undefined],
  ['null', 'snapshot', null],
  ['an array', 'snapshot', [goodSnapshot()]],
  ['text', 'snapshot', JSON.stringify(goodSnapshot())],
  ['inherited fields', 'version', Object.create(goodSnapshot())],
  [
    'a message of inherited fields',
    'messages[0].id',
    snapshotWith('messages.0', Object.create(goodSnapshot().messages[0] ?? null)),
  ],
  ['a repeated id', 'messages[1].id', snapshotWith('messages.1.id', 'msg-1')],
  ['a number no counter can hold', 'messages[1].id', snapshotWith('messages.1.id', `msg-${'9'.repeat(400)}`)],
  [
    'a number that cannot be counted on from',
    'messages[1].id',
    snapshotWith('messages.1.id', `msg-${Number.MAX_SAFE_INTEGER}`),
  ],
  ['a hole in the messages', 'messages[1]', snapshotWith('messages', sparse(3, goodSnapshot().messages[0]))],
  ['four billion holes', 'messages[0]', snapshotWith('messages', sparse(2 ** 32 - 1))],
  [
    'a hole in the addressees',
    'messages[0].routing.resolvedAddressees[1]',
    snapshotWith('messages.0.routing.resolvedAddressees', sparse(2, 'max')),
  ],
  ['a field nested 100,000 deep', 'messages[0]', snapshotWith('messages.0.note', nest(100_000))],
  ['a speaker in a circle', 'messages[0]', snapshotWith('messages.0.speaker', circular())],
  ['a function in a message', 'messages[0].note', snapshotWith('messages.0.note', () => 1)],
  ['a big integer in a message', 'messages[0].note', snapshotWith('messages.0.note', 1n)],
  ['a number that JSON does not know', 'messages[0].note', snapshotWith('messages.0.note', Number.NaN)],
  [
    'a "__proto__" key',
    '__proto__',
    JSON.parse(JSON.stringify(goodSnapshot()).replace('"version"', '"__proto__":{"version":1},"version"')),
  ],
  [
    'a "__proto__" key in a speaker',
    'messages[0].speaker.__proto__',
    JSON.parse(
      JSON.stringify(goodSnapshot()).replace('"roleTitle"', '"__proto__":{"type":"human"},"roleTitle"'),
    ),
  ],
  [
    'a "__proto__" key in a further field',
    'messages[0].note.__proto__',
    snapshotWith('messages.0.note', JSON.parse('{"__proto__":{"polluted":true}}')),
  ],
];

/** A conversation with something in it, and a way to see whether anything changed. */
function conversation() {
  const calls: string[] = [];
  const manager = new ContextManager({
    clock: () => 1,
    logger: {},
    onMessageAdded: () => calls.push('added'),
    onTeamTaskChanged: () => calls.push('task'),
    onReset: () => calls.push('reset'),
  });
  manager.setTeamTask('Keep me');
  manager.addMessage({ content: 'I was here', speaker: { roleId: 'kailai' } });
  return { manager, look: () => ({ calls: [...calls], snapshot: manager.exportSnapshot() }) };
}

function expectRefusal(snapshot: unknown, path: string): void {
  const { manager, look } = conversation();
  const before = look();
  let thrown: unknown;
  try {
    manager.importSnapshot(snapshot as ContextSnapshot);
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toBeInstanceOf(InvalidSnapshotError);
  const { path: refused, message } = thrown as InvalidSnapshotError;
  expect(refused.startsWith(path)).toBe(true);
  expect(message.startsWith(`Invalid snapshot format: ${path}`)).toBe(true);
  expect(look()).toEqual(before);
  expect(manager.addMessage({ content: 'Next', speaker: { roleId: 'kailai' } }).id).toBe('msg-2');
}

describe('importSnapshot refuses, names the path and changes nothing', () => {
  it.each(wrongTypes)('when %s has a wrong type', (path, named, values) => {
    for (const value of values) expectRefusal(snapshotWith(path, value), named);
  });

  it.each(hostile)('when it is given %s', (_what, path, snapshot) => {
    expectRefusal(snapshot, path);
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });
});

describe('importSnapshot', () => {
  it('takes a Date where addMessage does, and keeps it as epoch milliseconds', () => {
    const { manager } = conversation();
    const said = new Date(1_700_000_000_000);
    manager.importSnapshot(snapshotWith('messages.0.timestamp', said) as unknown as ContextSnapshot);
    manager.importSnapshot({ ...manager.exportSnapshot(), timestamp: said } as unknown as ContextSnapshot);
    expect(manager.getMessages()[0]?.timestamp).toBe(said.getTime());
  });

  it('takes the good snapshot that the cases above spoil', () => {
    const { manager } = conversation();
    manager.importSnapshot(goodSnapshot() as unknown as ContextSnapshot);
    expect(manager.getMessages().map(({ id }) => id)).toEqual(['msg-1', 'msg-2']);
  });

  it.each(['constructor', 'prototype', 'toString', 'hasOwnProperty'])(
    'carries a further field called %s as data',
    (key) => {
      const { manager } = conversation();
      manager.importSnapshot(snapshotWith(`messages.0.${key}`, 'data') as unknown as ContextSnapshot);
      expect(manager.exportSnapshot().messages[0]).toHaveProperty(key, 'data');
    },
  );

  it('passes on what a getter throws and changes nothing', () => {
    const { manager, look } = conversation();
    const before = look();
    const speaker = withGetter('roleName', () => {
      throw new RangeError('boom');
    });
    expect(() =>
      manager.importSnapshot(snapshotWith('messages.0.speaker', speaker) as unknown as ContextSnapshot),
    ).toThrow('boom');
    expect(look()).toEqual(before);
  });

  it('keeps what it checked, also when a getter gives another value the second time', () => {
    const answers = ['kailai', ''];
    const speaker = withGetter('roleId', () => answers.shift() ?? '');
    const { manager } = conversation();
    manager.importSnapshot(snapshotWith('messages.0.speaker', speaker) as unknown as ContextSnapshot);
    expect(manager.getMessages()[0]?.speaker.roleId).toBe('kailai');
  });

  it('gives every further message an id of its own, or refuses numbers too large to go on from', () => {
    for (const below of [0, 1, 2, 3, 1_000_000]) {
      const { manager } = conversation();
      const largest = `msg-${Number.MAX_SAFE_INTEGER - below}`;
      try {
        manager.importSnapshot(snapshotWith('messages.1.id', largest) as unknown as ContextSnapshot);
      } catch (error) {
        expect(error).toBeInstanceOf(InvalidSnapshotError);
        continue;
      }
      const ids = [1, 2, 3].map(() => manager.addMessage({ content: 'More', speaker: { roleId: 'max' } }).id);
      expect(new Set([largest, ...ids]).size).toBe(4);
    }
  });

  it('shares nothing with the snapshot it was given', () => {
    const { manager } = conversation();
    const snapshot = goodSnapshot();
    manager.importSnapshot(snapshot as unknown as ContextSnapshot);
    const before = manager.exportSnapshot();
    Object.assign(snapshot.messages[0] as Json, { content: 'Changed' });
    Object.assign(snapshot.messages[0]?.routing as Json, { resolvedAddressees: ['eve'] });
    expect(manager.exportSnapshot()).toEqual(before);
  });
});

const notCounts = [
  Number.NaN,
  -1,
  0.5,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
  2 ** 53,
  '5',
  null,
];

const managerOptions: readonly (readonly [
  option: string,
  options: (value: number) => ContextManagerOptions,
])[] = [
  ['contextWindowSize', (contextWindowSize) => ({ contextWindowSize })],
  ['maxBytes', (maxBytes) => ({ maxBytes })],
  ['maxMessages', (maxMessages) => ({ maxMessages })],
  ['windowSizes.max', (size) => ({ windowSizes: { max: size } })],
];

const callOptions: readonly (readonly [option: string, options: (value: number) => ContextOptions])[] = [
  ['windowSizeOverride', (windowSizeOverride) => ({ windowSizeOverride })],
  ['maxBytesOverride', (maxBytesOverride) => ({ maxBytesOverride })],
];

function expectInvalidOption(work: () => unknown, option: string, value: unknown): void {
  let thrown: unknown;
  try {
    work();
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toBeInstanceOf(InvalidOptionError);
  expect(thrown).toMatchObject({ option, value });
}

describe('an option that is no count is refused by name', () => {
  describe.each(managerOptions)('%s of a conversation', (option, options) => {
    it.each(notCounts)('when it is %s', (value) => {
      expectInvalidOption(() => new ContextManager(options(value as number)), option, value);
    });
  });

  it('maxMessages 0', () => {
    expectInvalidOption(() => new ContextManager({ maxMessages: 0 }), 'maxMessages', 0);
  });

  describe.each(callOptions)('%s of a prompt', (option, options) => {
    it.each(notCounts)('when it is %s, and nothing is changed', (value) => {
      const { manager, look } = conversation();
      const before = look();
      expectInvalidOption(
        () => manager.getContextForAgent('max', 'claude', options(value as number)),
        option,
        value,
      );
      expectInvalidOption(
        () => manager.explainPrompt('max', 'claude', options(value as number)),
        option,
        value,
      );
      expect(look()).toEqual(before);
    });
  });

  it.each(notCounts)('maxBytes %s of an assembler', (value) => {
    const input = { contextMessages: [], currentMessage: 'Hi', teamTask: null, maxBytes: value as number };
    expectInvalidOption(() => new ClaudeContextAssembler().assemble(input), 'maxBytes', value);
  });
});

describe('addMessage', () => {
  const { manager, look } = conversation();

  it.each([
    ['null', null, 'Message cannot be null or undefined'],
    ['undefined', undefined, 'Message cannot be null or undefined'],
    ['content that is no text', { content: 1, speaker: { roleId: 'a' } }, 'Message content must be a string'],
    ['no speaker', { content: 'x' }, 'Message speaker is required'],
    ['a speaker without an id', { content: 'x', speaker: {} }, 'Message speaker.roleId is required'],
  ])('refuses %s and uses up no id', (_what, message, error) => {
    const before = look();
    expect(() => manager.addMessage(message as never)).toThrow(error);
    expect(look()).toEqual(before);
  });

  it('keeps a copy: what the caller changes later is not seen', () => {
    const { manager: own } = conversation();
    const message = {
      content: 'Hi',
      speaker: { roleId: 'max', roleName: 'Max' },
      routing: { resolvedAddressees: ['sarah'] },
    };
    own.addMessage(message);
    const before = own.exportSnapshot();
    message.content = 'Changed';
    message.speaker.roleName = 'Eve';
    message.routing.resolvedAddressees.push('eve');
    expect(own.exportSnapshot()).toEqual(before);
  });
});
