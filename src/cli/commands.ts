import { findPreset, PRESET_NAMES } from '../catalogue/presets.js';
import { MOST_WAIT_SECONDS } from '../frontends/mcp/McpOptions.js';
import { LANGUAGES } from '../models/Language.js';
import { SHELL_NAMES } from './commands/completion/shells.js';
import { MCP_CLIENTS, MCP_DEFAULTS } from './serve/mcpClients.js';
import {
  AGE,
  AMOUNT,
  type CliCommand,
  choiceOption,
  command,
  flag,
  group,
  list,
  optional,
  PORT,
  parsed,
  REPEAT,
  required,
  requiredOneOf,
  textOption,
  texts,
  WHOLE_NUMBER,
  waitOf,
  withDefault,
} from './start/command.js';
import { FOLDER_FLAGS } from './start/commandLine.js';
import { EXPORT_FORMATS, OUTPUT_FORMATS } from './start/RunFlags.js';

const json = flag('--json', 'json');
const yes = flag('--yes', 'yes');
const trust = flag('--trust', 'trust');
const plain = flag('--plain', 'plain');
const team = textOption('--team <file>', 'team');
const session = textOption('--session <id>', 'session');
const debugFile = textOption('--debug-file <file>', 'debugFile');
const maxTurns = parsed('--max-turns <number>', 'maxTurns', WHOLE_NUMBER);
const maxUsd = parsed('--max-usd <amount>', 'maxUsd', AMOUNT);
const model = texts('-m, --model <member=name>', 'model');
const readOnly = flag('--read-only', 'readOnly');
/** In no help: a model would type it. */
const nested = flag('--nested');
/** The option of commands that read or write sessions, which may be in a shared store. */
const store = textOption('--store <store>', 'store');

/** Options of commands that print a conversation. */
const conversationOptions = {
  file: textOption('--file <file>', 'file'),
  outputFormat: withDefault(choiceOption('--output-format <format>', 'format', OUTPUT_FORMATS), 'text'),
  /** As other tools call it. */
  json: flag('--json', 'asJson', { conflicts: ['final'], implies: { outputFormat: 'json' } }),
  maxTurns,
  maxUsd,
  team,
  trust,
  debugFile,
};

/** Options of commands that start agents and print what they answer. */
const runOptions = {
  ...conversationOptions,
  /** For the text format only: the others have all answers apart. */
  final: flag('--final', 'final', { conflicts: ['outputFormat'] }),
  model,
  readOnly,
};

/** Options of `run` that are about the team or the session here. */
const NOT_ELSEWHERE = [
  ...['continue', 'ephemeral', 'record', 'cassette', 'accept', 'force'],
  ...['maxTurns', 'maxUsd', 'model', 'readOnly', 'trust'],
];

/** Options of `run` that are about agents that are started, or sessions that are kept. */
const NOT_PLAYED = ['continue', 'ephemeral', 'record', 'trust', 'debugFile'];

const paths = list('paths', { takes: 'paths' });
const storeName = { store: required('storeName') };

const storeCommands = group('store', [
  command('storeInit', 'writes', async () => (await import('./commands/store.js')).initStore, {
    arguments: storeName,
    options: { url: textOption('--url <url>', 'storeUrl'), force: flag('--force', 'forceStore') },
  }),
  command('storeAdd', 'writes', async () => (await import('./commands/store.js')).addStore, {
    arguments: { ...storeName, url: required('storeUrl') },
    options: { force: flag('--force', 'forceStore') },
  }),
  command('storeInvite', 'writes', async () => (await import('./commands/storeRoles.js')).inviteToStore, {
    arguments: { ...storeName, role: required('storeRole') },
    options: { worker: flag('--worker', 'storeWorker') },
  }),
  command('storeRemove', 'writes', async () => (await import('./commands/storeRoles.js')).removeFromStore, {
    arguments: { ...storeName, role: required('storeRole') },
  }),
  command('storeUpgrade', 'writes', async () => (await import('./commands/storeRoles.js')).upgradeStore, {
    arguments: storeName,
  }),
  command('storeCheck', 'reads', async () => (await import('./commands/storeCheck.js')).checkStore, {
    arguments: { store: optional('storeName') },
    options: { json },
  }),
  command('storeList', 'reads', async () => (await import('./commands/store.js')).listStores, {
    options: { json },
  }),
]);

const configCommands = [
  command('configSet', 'writes', async () => (await import('./commands/configSet.js')).setConfig, {
    isTolerant: true,
    arguments: { key: required('settingKey'), value: list('settingValue', { isRequired: true }) },
  }),
  command('configUnset', 'writes', async () => (await import('./commands/configSet.js')).unsetConfig, {
    isTolerant: true,
    arguments: { key: required('settingKey') },
  }),
  command('configPath', 'reads', async () => (await import('./commands/config.js')).printConfigPath, {
    isTolerant: true,
  }),
];

const commands: readonly CliCommand[] = [
  command('run', 'starts', async () => (await import('./commands/run.js')).run, {
    arguments: { message: optional('message') },
    options: {
      ...runOptions,
      continue: flag('-c, --continue', 'continue', { conflicts: ['ephemeral'] }),
      ephemeral: flag('--ephemeral', 'ephemeral'),
      record: textOption('--record <file>', 'record', { conflicts: ['continue'] }),
      cassette: textOption('--cassette <file>', 'cassette', { conflicts: NOT_PLAYED }),
      match: choiceOption('--match <what>', 'match', ['all', 'order']),
      accept: flag('--accept', 'accept', { conflicts: ['outputFormat', 'json', 'final', 'match'] }),
      force: flag('--force', 'forceRecording'),
      on: textOption('--on <role>', 'on', { conflicts: NOT_ELSEWHERE }),
      subject: textOption('--subject <subject>', 'subject'),
      detach: flag('--detach', 'detach', { conflicts: ['outputFormat', 'json', 'final'] }),
      nested,
      store,
    },
  }),
  command('rehearse', 'reads', async () => (await import('./commands/rehearse.js')).rehearse, {
    arguments: { message: optional('message') },
    options: {
      ...conversationOptions,
      noPrompts: flag('--no-prompts', 'noPrompts'),
      script: textOption('--script <file>', 'script'),
    },
  }),
  command('demo', 'reads', async () => (await import('./commands/start.js')).demo, {
    options: { plain },
  }),
  command('init', 'writes', async () => (await import('./commands/init.js')).init, {
    options: {
      preset: choiceOption('--preset <name>', 'preset', PRESET_NAMES),
      yes,
      force: flag('--force', 'force'),
    },
    notes: ({ help }) => help.presets(PRESET_NAMES.map((name) => [name, findPreset(name).summary])),
  }),
  group('team', [
    command('teamCheck', 'reads', async () => (await import('./commands/teamCheck.js')).checkTeam, {
      arguments: { file: optional('teamFile') },
      options: { json },
    }),
  ]),
  command('doctor', 'reads', async () => (await import('./commands/doctor.js')).doctor, {
    isTolerant: true,
    options: { json },
  }),
  command('config', 'reads', async () => (await import('./commands/config.js')).showConfig, {
    isTolerant: true,
    arguments: { key: optional('settingKey') },
    options: { json },
    commands: configCommands,
  }),
  command('trust', 'writes', async () => (await import('./commands/trust.js')).trust, {
    arguments: { folder: optional('folder') },
    options: { yes },
  }),
  command('sessions', 'reads', async () => (await import('./commands/sessions.js')).listSessions, {
    options: { all: flag('--all', 'all'), search: textOption('--search <text>', 'search'), json, store },
  }),
  command('show', 'reads', async () => (await import('./commands/sessions.js')).show, {
    arguments: { id: optional('session') },
    options: { store },
  }),
  command('resume', 'starts', async () => (await import('./commands/resume.js')).resume, {
    arguments: { id: optional('session'), message: optional('resumeMessage') },
    options: {
      retry: flag('--retry', 'retry'),
      ...runOptions,
      takeOver: flag('--take-over', 'takeOver'),
      nested,
      plain,
      store,
    },
  }),
  command('fork', 'writes', async () => (await import('./commands/fork.js')).fork, {
    arguments: { session: optional('session') },
    options: {
      at: textOption('--at <message>', 'at', { conflicts: ['before'] }),
      before: textOption('--before <message>', 'before'),
      keepQueue: flag('--keep-queue', 'keepQueue'),
      id: textOption('--id <new-id>', 'id'),
      store,
    },
  }),
  command('rewind', 'writes', async () => (await import('./commands/fork.js')).rewind, {
    arguments: { session: optional('session') },
    options: { to: textOption('--to <message>', 'to'), plain, store },
  }),
  command('delete', 'writes', async () => (await import('./commands/manageSessions.js')).deleteSession, {
    arguments: { id: optional('sessionRequired') },
    options: {
      olderThan: parsed('--older-than <age>', 'olderThan', AGE),
      all: flag('--all', 'all'),
      yes,
      store,
    },
  }),
  command('rename', 'writes', async () => (await import('./commands/manageSessions.js')).rename, {
    arguments: { id: required('sessionRequired'), title: required('title') },
    options: { store },
  }),
  command('export', 'reads', async () => (await import('./commands/export.js')).exportSession, {
    arguments: { id: optional('session') },
    options: {
      format: withDefault(choiceOption('--format <format>', 'exportFormat', EXPORT_FORMATS), 'md'),
      output: textOption('--output <file>', 'output'),
      store,
    },
  }),
  command('import', 'writes', async () => (await import('./commands/manageSessions.js')).importSession, {
    arguments: { file: required('importFile') },
    options: { id: textOption('--id <new-id>', 'id'), store },
  }),
  command('cassette', 'reads', async () => (await import('./cassettes/recordRun.js')).makeCassetteOfSession, {
    arguments: { id: optional('session') },
    options: {
      output: textOption('--output <file>', 'output'),
      force: flag('--force', 'forceRecording'),
      team,
      store,
    },
  }),
  command('cost', 'reads', async () => (await import('./commands/cost.js')).cost, {
    arguments: { id: optional('session') },
    options: { json, store },
  }),
  command('replay', 'starts', async () => (await import('./cassettes/replay.js')).replay, {
    arguments: { recording: required('recording') },
    options: {
      against: textOption('--against <file>', 'against'),
      eachTurn: flag('--each-turn', 'eachTurn'),
      repeat: parsed('--repeat <number>', 'repeat', REPEAT),
      check: textOption('--check <command>', 'check'),
      diff: flag('--diff', 'answers'),
      json,
      maxUsd: parsed('--max-usd <amount>', 'maxUsdOfAll', AMOUNT),
      model,
      readOnly: flag('--read-only', 'readOnly', { conflicts: ['inPlace'] }),
      inPlace: flag('--in-place', 'inPlace'),
      trust,
      nested,
      store,
    },
  }),
  command('mcp', 'starts', async () => (await import('./commands/mcp.js')).mcp, {
    // A client shows a server that ends without the reason: its tools say what is wrong.
    isTolerant: true,
    options: {
      config: choiceOption('--config <client>', 'mcpConfig', MCP_CLIENTS),
      team,
      folder: textOption(FOLDER_FLAGS, 'mcpFolder'),
      permission: withDefault(
        choiceOption('--permission <permission>', 'mcpPermission', ['read', 'team']),
        MCP_DEFAULTS.permission,
      ),
      continueSessions: flag('--continue-sessions', 'mcpContinueSessions'),
      maxAsks: withDefault(parsed('--max-asks <number>', 'maxAsks', WHOLE_NUMBER), MCP_DEFAULTS.maxAsks),
      maxTurns: withDefault(
        parsed('--max-turns <number>', 'maxTurnsOfAll', WHOLE_NUMBER),
        MCP_DEFAULTS.maxTurns,
      ),
      maxUsd: parsed('--max-usd <amount>', 'maxUsdOfAsks', AMOUNT),
      wait: parsed('--wait <seconds>', 'mcpWait', waitOf(MOST_WAIT_SECONDS)),
      trust,
      debugFile,
      nested,
      store,
    },
  }),
  command('why', 'reads', async () => (await import('./commands/why.js')).why, {
    arguments: { turn: optional('turn') },
    options: {
      session,
      prompt: flag('--prompt', 'prompt'),
      system: flag('--system', 'system'),
      json,
      compare: textOption('--compare <member>', 'compare'),
      store,
    },
  }),
  command('diff', 'reads', async () => (await import('./commands/diff.js')).diff, {
    arguments: { what: optional('changes'), paths },
    options: {
      session,
      stat: flag('--stat', 'stat', { conflicts: ['names'] }),
      names: flag('--names', 'names'),
      json,
      store,
    },
  }),
  command('undo', 'writes', async () => (await import('./commands/undo.js')).undo, {
    arguments: { what: optional('changes'), paths },
    options: { session, dryRun: flag('--dry-run', 'dryRun'), yes, json, store },
  }),
  command('apply', 'writes', async () => (await import('./commands/undo.js')).apply, {
    arguments: { turn: required('appliedTurn'), paths },
    options: { session, dryRun: flag('--dry-run', 'dryRun'), yes, json, store },
  }),
  command('commit', 'writes', async () => (await import('./commands/commit.js')).commit, {
    arguments: { what: optional('changes'), paths },
    options: { session, message: textOption('-m, --message <text>', 'commitMessage'), store },
  }),
  command('acp', 'starts', async () => (await import('./commands/acp.js')).acp, {
    options: {
      team,
      as: textOption('--as <name>', 'as'),
      maxTurns,
      maxUsd,
      ephemeral: flag('--ephemeral', 'ephemeral'),
      trust,
      debugFile,
      nested,
      store,
    },
  }),
  command('web', 'starts', async () => (await import('./commands/web.js')).web, {
    arguments: { id: optional('webSession') },
    options: {
      port: parsed('--port <number>', 'port', PORT),
      open: flag('--open', 'open'),
      watchOnly: flag('--watch-only', 'watchOnly'),
      team,
      trust,
      debugFile,
      store,
    },
  }),
  storeCommands,
  command('worker', 'starts', async () => (await import('./commands/worker.js')).worker, {
    options: { file: textOption('--file <file>', 'workerFile'), debugFile, store },
  }),
  command('key', 'writes', async () => (await import('./commands/store.js')).key, {
    options: { new: flag('--new', 'newKey') },
  }),
  command('completion', 'reads', async () => (await import('./commands/completion.js')).completion, {
    isTolerant: true,
    arguments: { shell: requiredOneOf('shell', SHELL_NAMES), words: list('completionWords') },
  }),
];

/** The whole command line: names, arguments, options, help. */
export const PROGRAM: CliCommand = command(
  'program',
  'starts',
  async () => (await import('./commands/start.js')).start,
  {
    name: 'huddle',
    arguments: { message: optional() },
    options: {
      version: flag('-V, --version', 'version'),
      continue: flag('-c, --continue', 'continue'),
      print: flag('-p, --print', 'print'),
      rehearse: flag('--rehearse', 'rehearse', { conflicts: ['continue'] }),
      plain,
      model,
      readOnly,
      store,
      folder: textOption(FOLDER_FLAGS, 'inFolder'),
      // Taken out of the arguments before they come here, since it may stand behind any command.
      language: choiceOption('--lang <language>', 'language', LANGUAGES),
      nested,
    },
    commands,
    notes: ({ help }) => help.afterProgram,
  },
);
