import { findNamedAgentType } from '../models/knownPrograms.js';
import { FIELDS } from './teamSchema.js';

type Words = Readonly<Record<string, readonly string[]>>;

/** Words that people bring from other tools, by the field they mean; in lower case, without `-` and `_`. */
const FIELD_SYNONYMS: Readonly<Record<keyof typeof FIELDS, Words>> = {
  team: {
    members: ['agents', 'participants', 'people', 'users', 'team', 'models'],
    task: ['goal', 'objective', 'topic', 'prompt', 'description', 'instructions', 'systemprompt'],
    name: ['title', 'teamname'],
    'routing.fanout': ['mode', 'strategy', 'order'],
    files: ['workspace', 'changes', 'checkpoints'],
    store: ['database', 'db', 'storage', 'sharedstore'],
  },
  human: {
    name: ['id', 'username'],
    title: ['description'],
    role: ['login', 'user', 'dbrole', 'databaserole'],
  },
  ai: {
    name: ['id'],
    title: ['role', 'description'],
    agentType: ['agent', 'provider', 'vendor', 'cli', 'kind', 'tool'],
    command: ['cmd', 'args', 'program', 'executable', 'run'],
    systemInstruction: ['systemprompt', 'prompt', 'instructions', 'system', 'persona', 'systemmessage'],
    instructionFile: ['instructionsfile', 'promptfile', 'systempromptfile', 'file'],
    model: ['modelname', 'llm'],
    permission: ['permissions', 'permissionmode', 'access', 'sandbox', 'mode', 'approval', 'approvalmode'],
    allow: ['allowedtools', 'tools'],
    deny: ['disallowedtools', 'excludetools', 'disallow'],
    window: ['history', 'context', 'contextwindow'],
    env: ['environment'],
    output: ['outputformat', 'format'],
    workspace: ['worktree', 'isolation', 'copy', 'isolated'],
    check: ['ischeck', 'checks', 'verify'],
  },
  routing: {
    fallback: ['default', 'next'],
    fanout: ['mode', 'strategy', 'order', 'parallel', 'blind'],
  },
  limits: {
    agentTurns: ['turns', 'maxturns', 'rounds', 'maxrounds', 'iterations'],
    usd: ['budget', 'cost', 'maxcost', 'money', 'dollars', 'maxbudgetusd'],
    tokens: ['maxtokens'],
    turnMinutes: ['timeout', 'minutes', 'timeoutminutes'],
    addressees: ['recipients'],
    checkRounds: ['checks', 'maxchecks', 'failedchecks', 'attempts'],
  },
  price: {
    input: ['in', 'prompt', 'inputtokens'],
    cachedInput: ['cached', 'cacheread', 'cache'],
    output: ['out', 'completion', 'outputtokens'],
  },
  context: {
    maxBytes: ['bytes', 'size', 'limit', 'maxtokens'],
  },
  files: {
    record: ['enabled', 'track', 'recording', 'snapshots', 'undo'],
    tell: ['diff', 'diffs', 'share', 'inform'],
    readers: ['reader'],
    blind: ['copies', 'isolation', 'worktrees'],
    setup: ['prepare', 'install', 'bootstrap', 'setupcommand'],
    maxFileBytes: ['maxbytes', 'maxfilesize', 'maxsize'],
  },
};

/** The same for values, by field and right value. */
const VALUE_SYNONYMS: Readonly<Record<string, Words>> = {
  type: {
    ai: ['bot', 'assistant', 'llm', 'model', 'machine'],
    human: ['person', 'user', 'me', 'you', 'people'],
  },
  agentType: {
    claude: ['anthropic', 'sonnet', 'opus', 'haiku', 'claudecli'],
    codex: ['openai', 'gpt', 'chatgpt', 'codexcli'],
    gemini: ['google', 'geminicli'],
    copilot: ['githubcopilot', 'github'],
    qwen: ['qwencode'],
    command: ['shell', 'bash', 'sh', 'script', 'cmd', 'program', 'custom'],
  },
  permission: {
    read: ['readonly', 'plan', 'ask', 'default', 'none', 'view'],
    edit: ['write', 'readwrite', 'workspacewrite', 'acceptedits', 'autoedit', 'edits'],
    full: [
      'all',
      'yolo',
      'bypass',
      'bypasspermissions',
      'dangerfullaccess',
      'fullaccess',
      'admin',
      'fullauto',
    ],
  },
  fanout: {
    sequential: ['serial', 'ordered', 'inorder', 'onebyone'],
    blind: ['parallel', 'concurrent', 'independent', 'simultaneous'],
  },
  fallback: { human: ['user', 'me', 'person'], 'round-robin': ['next', 'rotate', 'cycle'] },
  memory: { window: ['none', 'stateless'], session: ['persistent', 'resume', 'own'] },
  visibility: { all: ['everything', 'full'], addressed: ['own', 'private', 'direct'] },
  env: { inherit: ['full', 'all', 'default'], minimal: ['none', 'clean', 'empty'] },
  output: { text: ['plain', 'txt', 'raw'], 'json-lines': ['json', 'jsonl', 'ndjson', 'streamjson'] },
  tell: {
    names: ['paths', 'list', 'true', 'on'],
    diff: ['full', 'patch', 'lines', 'all'],
    nothing: ['none', 'off', 'false', 'no'],
  },
  readers: { report: ['warn', 'notice', 'tell'], pause: ['stop', 'block', 'ask', 'fail'] },
  blind: {
    copies: ['copy', 'worktree', 'worktrees', 'isolated', 'separate', 'true'],
    shared: ['same', 'folder', 'together', 'false'],
  },
  workspace: {
    copy: ['copies', 'worktree', 'own', 'isolated', 'private', 'separate'],
    shared: ['folder', 'same', 'none'],
  },
  guard: { on: ['true', 'yes'], off: ['false', 'no', 'none'] },
};

/** The path of the field that a word plainly means in this kind of object. */
export function findMeantField(kind: keyof typeof FIELDS, word: string): string | undefined {
  const same = FIELDS[kind].find((known) => fold(known) === fold(word));
  const field = same ?? findMeant(FIELD_SYNONYMS[kind], word);
  if (field !== undefined || kind !== 'team') return field;
  return PARTS.flatMap((part) => {
    const meant = findMeantField(part, word);
    return meant === undefined ? [] : [`${part}.${meant}`];
  })[0];
}

/** Objects of the file whose fields people put beside them. */
const PARTS = ['limits', 'routing', 'context', 'files'] as const;

/** The value of a field that another value plainly means. */
export function findMeantValue(
  field: string,
  value: unknown,
  choices: readonly unknown[],
): string | undefined {
  const word = fold(String(value));
  const same = choices.find((choice) => typeof choice === 'string' && fold(choice) === word);
  return same === undefined ? findMeant(VALUE_SYNONYMS[field], word) : String(same);
}

/** The agent type whose model a value is, such as `gpt-5`. */
export function findAgentTypeOfModel(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  return MODELS.find(([, beginning]) => beginning.test(value))?.[0];
}

const MODELS: ReadonlyArray<readonly [agentType: string, beginning: RegExp]> = [
  ['codex', /^(?:gpt|o\d)[\w.-]*\d/iu],
  ['claude', /^claude-(?:sonnet|opus|haiku|\d)/iu],
  ['gemini', /^gemini-(?:\d|pro|flash)/iu],
];

/** The command of an agent that speaks ACP and has no name of its own here, by what people call it. */
export function findAcpCommand(value: unknown): readonly string[] | undefined {
  if (typeof value !== 'string') return undefined;
  const word = fold(value);
  return ACP_COMMANDS.find(([names]) => names.includes(word))?.[1];
}

const ACP_COMMANDS: ReadonlyArray<readonly [names: readonly string[], command: readonly string[]]> = [
  [
    ['cursor', 'cursoragent', 'cursorcli'],
    ['cursor-agent', 'acp'],
  ],
  [
    ['goose', 'block'],
    ['goose', 'acp'],
  ],
  [
    ['kimi', 'kimicli', 'kimicode', 'moonshot'],
    ['kimi', 'acp'],
  ],
];

/** A member as it is written for somebody who gave only the name of a program. */
export function memberNamed(
  program: unknown,
): { readonly type: 'ai'; readonly agentType: string } | undefined {
  if (typeof program !== 'string') return undefined;
  const known = findNamedAgentType(program);
  return known?.command && { type: 'ai', agentType: program };
}

function findMeant(synonyms: Words = {}, word: string): string | undefined {
  return Object.entries(synonyms).find(([, others]) => others.includes(fold(word)))?.[0];
}

function fold(word: string): string {
  return word.toLowerCase().replaceAll(/[-_\s]/gu, '');
}
