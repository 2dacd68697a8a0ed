import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { ConversationId } from '../../../src/models/ids.js';
import { importConversation } from '../../../src/store/importConversation.js';
import { SqliteStore } from '../../../src/store/sqlite/SqliteStore.js';
import { afterFile } from '../../afterFile.js';
import { createFileSession } from '../fileSession.js';
import { installAgent } from '../installAgent.js';
import { createMachine, type Machine, teamFile } from '../runHuddle.js';
import { answering, databaseOf, holdElsewhere } from '../storedSessions.js';

export type Scene = keyof typeof SCENES;

/** The machines on which lines are typed; each function makes its name true. */
export const SCENES = {
  'nothing is installed': () => undefined,
  'two agents are installed': installAgents,
  'two agents are installed, and the folder is trusted': (machine: Machine) => {
    installAgents(machine);
    return machine.trust();
  },
  'one of two agents is logged in': (machine: Machine) => {
    installAgent(machine, 'claude', { '--version': '2.1.325 (Claude Code)', auth: '{"loggedIn": true}' });
    installAgent(machine, 'codex', { '--version': 'codex-cli 0.99.0', login: 'Not logged in' });
  },
  'one agent is old, and one does not say its version': (machine: Machine) => {
    installAgent(machine, 'claude', { '--version': '1.0.0 (Claude Code)', auth: '{"loggedIn": true}' });
    installAgent(machine, 'codex', { login: 'Logged in using ChatGPT' });
  },
  'nobody is logged in': (machine: Machine) =>
    installAgent(machine, 'codex', { '--version': '0.166.0', login: 'Not logged in' }),

  'there is a team': writeTeam,
  'the team is trusted': writeTrustedTeam,
  'the team file is wrong': (machine: Machine) => {
    machine.write('huddle.jsonc', {
      version: 2,
      nmae: 'squad',
      members: [
        { name: 'max', type: 'ai', agentType: 'cladue', instructionFile: 'roles/max.md' },
        { name: 'Max', type: 'ai', agentType: 'codex', permission: 'write' },
      ],
    });
  },
  'the team file is half written': (machine: Machine) => {
    machine.write('huddle.jsonc', '{ "version": 1,');
  },
  'the team has an architect and its tests': (machine: Machine) => {
    machine.write('roles/max.md', 'Keep it simple.');
    const max = { agentType: 'claude', title: 'Architect', model: 'sonnet', permission: 'full' };
    const tests = { agentType: 'command', command: ['npm', 'test', '--', '\u001b[2Jhidden'], env: 'minimal' };
    machine.write('huddle.jsonc', teamFile({ max: { ...max, instructionFile: 'roles/max.md' }, tests }));
  },
  'a program of the team is missing': async (machine: Machine) => {
    installAgents(machine);
    machine.write('huddle.jsonc', teamFile({ tests: command('not-there'), sarah: { agentType: 'codex' } }));
    await machine.trust();
  },
  'the team needs no agent CLI': async (machine: Machine) => {
    installAgent(machine, 'codex', { '--version': '0.166.0', login: 'Not logged in' });
    machine.write('huddle.jsonc', teamFile({ tests: command('node') }));
    await machine.trust();
  },
  'no program of the team is there': async (machine: Machine) => {
    const olga = { agentType: 'acp', command: ['opencode', 'acp'] };
    machine.write('huddle.jsonc', teamFile({ max: { agentType: 'claude' }, olga }));
    await machine.trust();
  },
  'the agent is not logged in': async (machine: Machine) => {
    machine.write('huddle.jsonc', teamFile({ max: { agentType: 'claude' } }));
    installAgent(machine, 'claude', {
      '-p': '{"type":"result","is_error":true,"result":"Not logged in · Please run /login","api_error_status":401}',
    });
    await machine.trust();
  },
  'an agent sends its parent a signal': async (machine: Machine) => {
    const kill = 'kill -s "$SIGNAL" "$PPID"; exec /bin/sleep 60';
    machine.write('huddle.jsonc', teamFile({ max: command('/bin/sh', '-c', kill) }));
    await machine.trust();
  },
  'the team has limits': async (machine: Machine) => {
    installAgents(machine);
    const members = { max: { agentType: 'claude' }, sarah: { agentType: 'claude' } };
    const limits = {
      pairTurns: 2,
      sameAnswer: 2,
      tokens: 20,
      usd: 0.02,
      idleMinutes: 0.01,
      turnMinutes: 0.01,
    };
    for (const [name, limit] of Object.entries(limits))
      machine.write(`${name}.jsonc`, teamFile(members, { limits: { [name]: limit } }));
    const max = { agentType: 'claude', systemInstruction: 'Keep it simple. '.repeat(31) };
    machine.write(
      'maxBytes.jsonc',
      teamFile({ max }, { task: max.systemInstruction, context: { maxBytes: 1024 } }),
    );
    machine.write('unpriced.jsonc', teamFile({ sarah: { agentType: 'codex' } }, { limits: { usd: 1 } }));
  },
  'stand-ins have a script': (machine: Machine) => {
    machine.write('huddle.jsonc', teamFile({ max: { agentType: 'claude' }, sarah: { agentType: 'codex' } }));
    machine.write('good.json', {
      max: [{ text: 'One.', next: ['sarah'] }],
      sarah: [{ text: 'Two.', next: ['max'] }],
    });
    machine.write('asks.json', { max: [{ text: 'Which one?', next: ['kim'] }] });
    machine.write('fails.json', { max: [{ failure: 'server-error' }] });
    machine.write('logged-out.json', { max: [{ failure: 'not-logged-in' }] });
    machine.write('half.json', '{ "max": [');
  },

  'the user has settings': (machine: Machine) => {
    machine.write('../teams/mine.jsonc', teamFile({ tests: command('node') }, { name: 'mine' }));
    machine.write(
      '../.config/huddle/config.jsonc',
      `{
  // for every folder without a team of its own
  "team": "~/teams/mine.jsonc",
  "prices": {
    "gpt-5": { "input": 1.25, "cachedInput": 0.125, "output": 10 },
  },
}
`,
    );
  },
  'the configuration file is wrong': async (machine: Machine) => {
    await writeTrustedTeam(machine);
    machine.write(
      '../.config/huddle/config.jsonc',
      '{ "colour": "never", "language": "zh", "notifications": "yes", "prices": { "a": { "inptu": 1 } } }',
    );
  },
  'the configuration file is half written': (machine: Machine) => {
    machine.write('../.config/huddle/config.jsonc', '{ "team": ');
  },
  'a member of the team is not logged in': async (machine: Machine) => {
    installAgent(machine, 'claude', { '--version': '2.1.325', auth: '{"loggedIn": true}' });
    installAgent(machine, 'codex', { '--version': '0.166.0', login: 'Not logged in' });
    machine.write('huddle.jsonc', teamFile({ max: { agentType: 'claude' }, sarah: { agentType: 'codex' } }));
    await machine.trust();
  },

  'turns changed files': async (machine: Machine) => {
    machine.write('../.gitconfig', '[user]\n\tname = Kim\n\temail = kim@example.org\n');
    const session = await createFileSession({ 'upload.ts': 'one\ntwo\nthree\n' }, { machine });
    const write = (files: Readonly<Record<string, string>>) => (folder: string) => {
      for (const [path, content] of Object.entries(files)) writeFileSync(join(folder, path), content);
    };
    await session.turn('ada', write({ 'upload.ts': 'ONE\ntwo\nthree\n', 'new.ts': 'new\n' }), {
      reported: ['upload.ts'],
    });
    await session.turn('max', write({ 'upload.ts': 'ONE!\ntwo\nthree\n' }));
    await session.turn('ada', write({ 'new.ts': 'of ada\n' }), { isCopy: true });
    await session.turn('max', write({ 'upload.ts': 'ONE!\ntwo\nTHREE\n' }), { isCopy: true });
  },

  'a session is kept': (machine: Machine) => keepIn(machine, { 'wiki-1': 'done' }),
  'a session is kept, and its team is not trusted': async (machine: Machine) => {
    writeTeam(machine);
    await keep(machine, { 'wiki-1': 'done' });
  },
  'two sessions are kept': (machine: Machine) => keepIn(machine, { 'wiki-1': 'failed', 'wiki-2': 'done' }),
  'sessions ended in every way': (machine: Machine) =>
    keepIn(machine, {
      'wiki-1': 'empty',
      'wiki-2': 'interrupted',
      'wiki-3': 'failed',
      'wiki-4': 'paused',
      'wiki-5': 'waiting',
      'wiki-6': 'done',
    }),
  'a session is kept of another folder': async (machine: Machine) => {
    await writeTrustedTeam(machine);
    await keep(machine, { 'wiki-1': 'done' }, join(machine.folder, 'other'));
  },
  'a session is kept of agents that are gone': (machine: Machine) =>
    keep(machine, { 'wiki-1': 'default team' }),
  'a session was cut off': (machine: Machine) => keepIn(machine, { 'wiki-1': 'interrupted' }),
  'a session failed': (machine: Machine) => keepIn(machine, { 'wiki-1': 'failed' }),
  'a session paused at a limit': (machine: Machine) => keepIn(machine, { 'wiki-1': 'paused' }),
  'a session waits for a person': (machine: Machine) => keepIn(machine, { 'wiki-1': 'waiting' }),
  'a session is open in another process': async (machine: Machine) => {
    await keepIn(machine, { 'wiki-1': 'done' });
    const store = new SqliteStore({ file: databaseOf(machine) });
    await store.open('wiki-1' as ConversationId);
    onTestFinished(() => store.close());
  },
  'a session is open on another machine': async (machine: Machine) => {
    await keepIn(machine, { 'wiki-1': 'done' });
    holdElsewhere(machine);
  },
  'a session is damaged': async (machine: Machine) => {
    await keepIn(machine, { 'wiki-1': 'done' });
    changeBytes(databaseOf(machine), (bytes) =>
      bytes.write('Lost.', bytes.lastIndexOf('"content":"Done."') + '"content":"'.length),
    );
  },
  'the store is of a newer Huddle': async (machine: Machine) => {
    await keepIn(machine, { 'wiki-1': 'done' });
    // PRAGMA user_version, see sqlite.org/fileformat.html
    changeBytes(databaseOf(machine), (bytes) => bytes.writeUInt32BE(99, 60));
  },
  'the store is from before the first release': async (machine: Machine) => {
    await keepIn(machine, { 'wiki-1': 'done' });
    // PRAGMA application_id
    changeBytes(databaseOf(machine), (bytes) => bytes.write('Hudl', 68));
  },
  'the store is no database': async (machine: Machine) => {
    await writeTrustedTeam(machine);
    writeFileSync(databaseOf(machine), 'not a database', { mode: 0o600 });
  },
  'a folder is in the place of the store': async (machine: Machine) => {
    await writeTrustedTeam(machine);
    machine.write('../data/conversations.sqlite/in-the-way', '');
  },
  'a file is in the place of the data folder': (machine: Machine) => {
    installAgents(machine);
    machine.write('../data', '');
  },
  'there is a team, and a file in the place of the data folder': (machine: Machine) => {
    writeTeam(machine);
    machine.write('../data', '');
  },
  'the record of trust is damaged': (machine: Machine) => {
    writeTeam(machine);
    machine.write('../data/trust.json', '{');
  },
  'a folder is in the place of the team file': (machine: Machine) => {
    machine.write('huddle.jsonc/in-the-way', '');
  },
  'there are files to import': async (machine: Machine) => {
    const log = await record('done');
    const [first = '', ...rest] = log.split('\n');
    machine.write('good.jsonl', log);
    machine.write('newer.jsonl', first.replace('"v":1', '"v":2'));
    machine.write('prose.jsonl', 'hello\n');
    machine.write('half.jsonl', `${first}\n{"v":1,"seq":2,`);
    machine.write('headless.jsonl', rest.join('\n'));
    machine.write('gap.jsonl', [first, ...rest.slice(1)].join('\n'));
    machine.write('empty.jsonl', '');
  },
};

function installAgents(machine: Machine): void {
  machine.install('claude', 'codex');
}

function command(...words: readonly string[]): object {
  return { agentType: 'command', command: words };
}

function writeTeam(machine: Machine): void {
  installAgents(machine);
  const max = { agentType: 'claude', window: 1 };
  machine.write('huddle.jsonc', teamFile({ max, sarah: { agentType: 'codex' } }));
  machine.write('others.jsonc', teamFile({ olga: { agentType: 'claude' } }));
  machine.write('some.jsonc', teamFile({ max: { agentType: 'claude' } }));
}

async function writeTrustedTeam(machine: Machine): Promise<void> {
  writeTeam(machine);
  await machine.trust();
}

type Sessions = Readonly<Record<string, Ending>>;

async function keepIn(machine: Machine, sessions: Sessions): Promise<void> {
  await writeTrustedTeam(machine);
  await keep(machine, sessions);
}

async function keep(machine: Machine, sessions: Sessions, folder = machine.project): Promise<void> {
  const store = new SqliteStore({ file: databaseOf(machine) });
  for (const [id, ending] of Object.entries(sessions))
    await importConversation(store, [Buffer.from(await record(ending))], {
      as: id as ConversationId,
      folder,
    });
  await store.close();
}

/** How a conversation was held, as far as it is not as most are. */
interface Recording {
  readonly env?: Readonly<Record<string, string>>;
  readonly options?: readonly string[];
  readonly hasTeamFile?: boolean;
  /** The last event that is kept of it. */
  readonly upTo?: string;
}

type Ending = keyof typeof RECORDINGS;

const RECORDINGS = {
  done: {},
  empty: { upTo: 'conversation-start' },
  interrupted: { upTo: 'turn-start' },
  failed: { env: { HOSTILE: 'exit0error' } },
  paused: { env: { HOSTILE_TEXT: 'You. [NEXT: max, sarah]' }, options: ['--max-turns', '1'] },
  waiting: { env: { HOSTILE_TEXT: 'Which one? [NEXT: kim]' } },
  'default team': { hasTeamFile: false },
} satisfies Record<string, Recording>;

const recorded = new Map<Ending, Promise<string>>();

/** The log of a real conversation. It is held once a file, as pages say "just now", and then kept on as many machines as need it. */
function record(ending: Ending): Promise<string> {
  const known = recorded.get(ending);
  if (known !== undefined) return known;
  const log = hold(RECORDINGS[ending]);
  recorded.set(ending, log);
  afterFile(forgetRecorded);
  return log;
}

function forgetRecorded(): void {
  recorded.clear();
}

async function hold({ env = {}, options = [], hasTeamFile = true, upTo }: Recording): Promise<string> {
  const machine = createMachine();
  (hasTeamFile ? writeTeam : installAgents)(machine);
  const args = ['run', 'Go. [NEXT: max, sarah]', '--trust', '--ephemeral', '--output-format', 'stream-json'];
  const { stdout } = await machine.run([...args, ...options], { env: { ...answering, ...env } });
  const events = stdout.split('\n').filter((line) => line.includes('"seq":'));
  const last = upTo === undefined ? -1 : events.findIndex((line) => line.includes(`"type":"${upTo}"`));
  return `${(last < 0 ? events : events.slice(0, last + 1)).join('\n')}\n`;
}

function changeBytes(file: string, change: (bytes: Buffer) => void): void {
  const bytes = readFileSync(file);
  change(bytes);
  writeFileSync(file, bytes);
}
