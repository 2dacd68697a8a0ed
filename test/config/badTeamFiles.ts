/** A team file that must be refused: what is wrong, the file, and every problem as `CODE pointer`. */
export type BadTeamFile = readonly [title: string, file: unknown, ...problems: string[]];

type Fields = Readonly<Record<string, unknown>>;

const human = (fields: Fields = {}) => ({ name: 'kailai', type: 'human', ...fields });
const agent = (fields: Fields = {}) => ({ name: 'max', type: 'ai', agentType: 'claude', ...fields });
const team = (fields: Fields = {}) => ({ version: 1, members: [human(), agent()], ...fields });
const withAgent = (fields: Fields) => team({ members: [human(), agent(fields)] });
const named = (name: unknown) => withAgent({ name });
const without = (value: Fields, field: string) =>
  Object.fromEntries(Object.entries(value).filter(([key]) => key !== field));
const parse = (text: string): unknown => JSON.parse(text);

export const BAD_TEAM_FILES: readonly BadTeamFile[] = [
  // The whole file
  ['null', null, 'WRONG_TYPE '],
  ['a number', 7, 'WRONG_TYPE '],
  ['a text', 'team', 'WRONG_TYPE '],
  ['a list', [team()], 'WRONG_TYPE '],
  ['nothing in it', {}, 'MISSING_FIELD /version', 'MISSING_FIELD /members'],
  ['no version', without(team(), 'version'), 'MISSING_FIELD /version'],
  ['a newer version', team({ version: 2 }), 'UNKNOWN_VALUE /version'],
  ['a version as text', team({ version: '1' }), 'UNKNOWN_VALUE /version'],
  ['an unknown field', team({ memebers: [] }), 'UNKNOWN_FIELD /memebers'],
  ['two unknown fields', team({ a: 1, b: 2 }), 'UNKNOWN_FIELD /a', 'UNKNOWN_FIELD /b'],
  ['an unknown field with a slash', team({ 'a/b~c': 1 }), 'UNKNOWN_FIELD /a~1b~0c'],
  ['X- in capitals', team({ 'X-note': 1 }), 'UNKNOWN_FIELD /X-note'],
  ['a $schema that is no text', team({ $schema: 1 }), 'WRONG_TYPE /$schema'],
  ['an empty name', team({ name: '' }), 'OUT_OF_RANGE /name'],
  ['a name of 65 characters', team({ name: 'x'.repeat(65) }), 'OUT_OF_RANGE /name'],
  ['a name that is null', team({ name: null }), 'WRONG_TYPE /name'],
  ['a task that is a list', team({ task: ['a'] }), 'WRONG_TYPE /task'],
  ['a task over 5 KB', team({ task: '任'.repeat(1707) }), 'OUT_OF_RANGE /task'],

  // Keys with a meaning in JavaScript
  [
    '__proto__ as a field',
    parse('{"version":1,"members":[{"name":"max","type":"ai","agentType":"claude"}],"__proto__":{}}'),
    'UNKNOWN_FIELD /__proto__',
  ],
  ['constructor as a field', team({ constructor: {} }), 'UNKNOWN_FIELD /constructor'],
  [
    '__proto__ of a member',
    team({ members: [parse('{"__proto__":{"type":"ai","name":"max","agentType":"claude"}}')] }),
    'MISSING_FIELD /members/0/type',
  ],
  ['__proto__ as a model', team({ prices: parse('{"__proto__":{}}') }), 'UNKNOWN_FIELD /prices/__proto__'],
  ['constructor as a limit', team({ limits: { constructor: 1 } }), 'UNKNOWN_FIELD /limits/constructor'],
  [
    'constructor as an agent type',
    withAgent({ agentType: 'constructor' }),
    'UNKNOWN_VALUE /members/1/agentType',
  ],

  // The list of members
  ['no members', without(team(), 'members'), 'MISSING_FIELD /members'],
  ['members in an object', team({ members: { max: agent() } }), 'WRONG_TYPE /members'],
  [
    'lists of tools for programs that take none',
    team({
      members: [
        human(),
        agent({ agentType: 'codex', allow: ['shell'], deny: ['shell'] }),
        agent({ name: 'tests', agentType: 'command', command: ['npm'], deny: ['x'] }),
        agent({ name: 'olga', agentType: 'acp', command: ['opencode', 'acp'], deny: ['x'] }),
      ],
    }),
    'TOOL_LIST_UNSUPPORTED /members/1/allow',
    'TOOL_LIST_UNSUPPORTED /members/1/deny',
    'TOOL_LIST_UNSUPPORTED /members/2/deny',
  ],
  [
    'an output for a program that has its own',
    team({ members: [human(), agent({ agentType: 'codex', output: 'json-lines' })] }),
    'OUTPUT_UNSUPPORTED /members/1/output',
  ],
  [
    'a check that is no command',
    team({ members: [human(), agent({ agentType: 'claude', check: true })] }),
    'CHECK_UNSUPPORTED /members/1/check',
  ],
  [
    'a copy for a member without records of files',
    team({ files: { record: false }, members: [human(), agent({ workspace: 'copy' })] }),
    'NEEDS_RECORD /members/1/workspace',
  ],
  ['an empty setup', team({ files: { setup: [] } }), 'OUT_OF_RANGE /files/setup'],
  ['no byte to keep', team({ files: { maxFileBytes: 0 } }), 'OUT_OF_RANGE /files/maxFileBytes'],
  ['files as a list', team({ files: [] }), 'WRONG_TYPE /files'],
  ['an empty list of members', team({ members: [] }), 'NO_MEMBERS /members'],
  ['humans only', team({ members: [human()] }), 'NO_AGENT /members'],
  ['a member that is a text', team({ members: [human(), agent(), 'max'] }), 'WRONG_TYPE /members/2'],
  ['a member that is null', team({ members: [agent(), null] }), 'WRONG_TYPE /members/1'],
  [
    '101 members',
    team({ members: Array.from({ length: 101 }, (_, index) => agent({ name: `agent-${index}` })) }),
    'OUT_OF_RANGE /members',
  ],

  // Names
  ['no name', team({ members: [human(), without(agent(), 'name')] }), 'MISSING_FIELD /members/1/name'],
  ['a name that is a number', named(7), 'WRONG_TYPE /members/1/name'],
  ['an empty member name', named(''), 'NAME_INVALID /members/1/name'],
  ['33 letters', named('x'.repeat(33)), 'NAME_INVALID /members/1/name'],
  ['a space', named('max power'), 'NAME_INVALID /members/1/name'],
  ['a closing bracket', named('max]'), 'NAME_INVALID /members/1/name'],
  ['a comma', named('max,sarah'), 'NAME_INVALID /members/1/name'],
  ['an exclamation mark', named('max!'), 'NAME_INVALID /members/1/name'],
  ['a line end', named('max\n'), 'NAME_INVALID /members/1/name'],
  ['an escape sequence', named('\u001b[31mmax'), 'NAME_INVALID /members/1/name'],
  ['a right-to-left override', named('max\u202e'), 'NAME_INVALID /members/1/name'],
  ['a zero-width joiner', named('ma\u200dx'), 'NAME_INVALID /members/1/name'],
  ['an invisible letter', named('\u3164'), 'NAME_INVALID /members/1/name'],
  ['an emoji', named('🤖'), 'NAME_INVALID /members/1/name'],
  ['a lone surrogate', named('\ud83e'), 'NAME_INVALID /members/1/name'],
  [
    'no type beside a name of 32 letters and their marks',
    team({ members: [human(), agent(), { name: 'e\u0301'.repeat(32), agentType: 'claude' }] }),
    'MISSING_FIELD /members/2/type',
  ],
  ['a mark without its letter', named('\u0301max'), 'NAME_INVALID /members/1/name'],
  ['hyphens only', named('--'), 'NAME_INVALID /members/1/name'],
  ['the name all', named('all'), 'NAME_RESERVED /members/1/name'],
  ['the name HUMAN', named('HUMAN'), 'NAME_RESERVED /members/1/name'],
  ['the name Team-Task', named('Team-Task'), 'NAME_RESERVED /members/1/name'],
  ['the name __proto__', named('__proto__'), 'NAME_RESERVED /members/1/name'],
  ['the name constructor', named('constructor'), 'NAME_RESERVED /members/1/name'],
  ['the name ｎｅｘｔ in full width', named('ｎｅｘｔ'), 'NAME_RESERVED /members/1/name'],
  ['a Cyrillic letter among Latin ones', named('m\u0430x'), 'NAME_MIXED_SCRIPTS /members/1/name'],
  ['a Greek letter among Latin ones', named('max\u03bf'), 'NAME_MIXED_SCRIPTS /members/1/name'],
  ['a Cherokee letter among Latin ones', named('\u13aaax'), 'NAME_MIXED_SCRIPTS /members/1/name'],
  ['Cyrillic beside Han', named('小明\u0430'), 'NAME_MIXED_SCRIPTS /members/1/name'],
  ['the same name twice', named('kailai'), 'NAME_TAKEN /members/1/name'],
  ['the same name in capitals', named('KAILAI'), 'NAME_TAKEN /members/1/name'],
  ['the same name with hyphens', named('kai-_lai'), 'NAME_TAKEN /members/1/name'],
  ['the same name in full width', named('ｋａｉｌａｉ'), 'NAME_TAKEN /members/1/name'],

  // Members
  ['no type', team({ members: [agent(), { name: 'sarah' }] }), 'MISSING_FIELD /members/1/type'],
  [
    'an unknown type',
    team({ members: [agent(), human({ type: 'humna' })] }),
    'UNKNOWN_VALUE /members/1/type',
  ],
  [
    'an unknown type beside a bad name',
    team({ members: [agent(), { type: 'bot', name: 'a b' }] }),
    'UNKNOWN_VALUE /members/1/type',
    'NAME_INVALID /members/1/name',
  ],
  [
    'a human with a model',
    team({ members: [human({ model: 'x' }), agent()] }),
    'UNKNOWN_FIELD /members/0/model',
  ],
  ['no agent type', team({ members: [without(agent(), 'agentType')] }), 'MISSING_FIELD /members/0/agentType'],
  ['an unknown agent type', withAgent({ agentType: 'cladue' }), 'UNKNOWN_VALUE /members/1/agentType'],
  ['acp without a command', withAgent({ agentType: 'acp' }), 'COMMAND_MISSING /members/1/command'],
  ['command without a command', withAgent({ agentType: 'command' }), 'COMMAND_MISSING /members/1/command'],
  ['a command line in one text', withAgent({ command: 'npm test' }), 'WRONG_TYPE /members/1/command'],
  ['an empty command', withAgent({ agentType: 'acp', command: [] }), 'OUT_OF_RANGE /members/1/command'],
  ['an empty word in a command', withAgent({ command: ['npm', ''] }), 'OUT_OF_RANGE /members/1/command/1'],
  ['a number in a command', withAgent({ command: ['sleep', 1] }), 'WRONG_TYPE /members/1/command/1'],
  ['an empty title', withAgent({ title: '' }), 'OUT_OF_RANGE /members/1/title'],
  [
    'a system instruction that is a number',
    withAgent({ systemInstruction: 7 }),
    'WRONG_TYPE /members/1/systemInstruction',
  ],
  [
    'a line that is null',
    withAgent({ systemInstruction: ['a', null] }),
    'WRONG_TYPE /members/1/systemInstruction/1',
  ],
  [
    'an empty instruction file name',
    withAgent({ instructionFile: '' }),
    'OUT_OF_RANGE /members/1/instructionFile',
  ],
  [
    'an instruction file nobody read',
    withAgent({ instructionFile: 'a.md' }),
    'INSTRUCTION_FILE_UNREADABLE /members/1/instructionFile',
  ],
  ['an unknown permission', withAgent({ permission: 'write' }), 'UNKNOWN_VALUE /members/1/permission'],
  ['an unknown memory', withAgent({ memory: true }), 'UNKNOWN_VALUE /members/1/memory'],
  ['a negative window', withAgent({ window: -1 }), 'OUT_OF_RANGE /members/1/window'],
  ['half a window', withAgent({ window: 2.5 }), 'WRONG_TYPE /members/1/window'],
  ['an unknown visibility', withAgent({ visibility: 'none' }), 'UNKNOWN_VALUE /members/1/visibility'],
  ['variables in env', withAgent({ env: { KEY: 'x' } }), 'UNKNOWN_VALUE /members/1/env'],
  ['allow as a text', withAgent({ allow: 'Bash' }), 'WRONG_TYPE /members/1/allow'],
  ['an empty word in deny', withAgent({ deny: [''] }), 'OUT_OF_RANGE /members/1/deny/0'],
  [
    'system text over half of the budget',
    withAgent({ systemInstruction: 'x'.repeat(393_217) }),
    'SYSTEM_TEXT_TOO_LARGE /members/1/systemInstruction',
  ],

  // The rest
  ['routing as a text', team({ routing: 'human' }), 'WRONG_TYPE /routing'],
  ['a member as fallback', team({ routing: { fallback: 'kailai' } }), 'UNKNOWN_VALUE /routing/fallback'],
  [
    'round-robin with one agent',
    team({ routing: { fallback: 'round-robin' } }),
    'FALLBACK_CYCLE /routing/fallback',
  ],
  ['an unknown fanout', team({ routing: { fanout: 'parallel' } }), 'UNKNOWN_VALUE /routing/fanout'],
  ['an unknown limit', team({ limits: { agentTurn: 3 } }), 'UNKNOWN_FIELD /limits/agentTurn'],
  ['no turns at all', team({ limits: { agentTurns: 0 } }), 'OUT_OF_RANGE /limits/agentTurns'],
  ['nobody at once', team({ limits: { parallel: 0 } }), 'OUT_OF_RANGE /limits/parallel'],
  ['a limit as a text', team({ limits: { queue: '50' } }), 'WRONG_TYPE /limits/queue'],
  ['a limit beyond all numbers', team({ limits: { tokens: 1e300 } }), 'OUT_OF_RANGE /limits/tokens'],
  [
    'minutes that no timer holds',
    team({ limits: { turnMinutes: 40_000 } }),
    'OUT_OF_RANGE /limits/turnMinutes',
  ],
  ['no minutes', team({ limits: { idleMinutes: 0 } }), 'OUT_OF_RANGE /limits/idleMinutes'],
  ['a limit of no money', team({ limits: { usd: 0 } }), 'OUT_OF_RANGE /limits/usd'],
  ['prices in a list', team({ prices: [] }), 'WRONG_TYPE /prices'],
  ['half a price', team({ prices: { gpt: { input: 1 } } }), 'MISSING_FIELD /prices/gpt/output'],
  [
    'a negative price',
    team({ prices: { gpt: { input: 1, output: -1 } } }),
    'OUT_OF_RANGE /prices/gpt/output',
  ],
  ['a price of nothing', team({ prices: { '': { input: 1, output: 1 } } }), 'UNKNOWN_FIELD /prices/'],
  ['a tiny budget', team({ context: { maxBytes: 100 } }), 'OUT_OF_RANGE /context/maxBytes'],
  ['an unknown guard', team({ context: { guard: 'yes' } }), 'UNKNOWN_VALUE /context/guard'],
];
