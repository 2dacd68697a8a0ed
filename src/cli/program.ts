import { Argument, Command, CommanderError, Option } from 'commander';
import { findPreset, PRESET_NAMES } from '../catalogue/presets.js';
import { words } from '../catalogue/words.js';
import { LANGUAGES } from '../models/Language.js';
import { readVersion } from '../utils/readVersion.js';
import { SHELL_NAMES } from './commands/completion/shells.js';
import { MCP_CLIENTS, MCP_DEFAULTS } from './serve/mcpClients.js';
import type { AddCommand, Exemplified, Load, Power } from './start/AddCommand.js';
import type { CliContext } from './start/CliContext.js';
import { describeRefusal, inChosenLanguage } from './start/commanderWords.js';
import { FOLDER_FLAGS } from './start/commandLine.js';
import { requireSettings } from './start/loadSettings.js';
import { readAmount, readPort, readRepeat, readWait, readWholeNumber } from './start/optionValues.js';
import { EXPORT_FORMATS, OUTPUT_FORMATS } from './start/outputFormats.js';
import { readAge } from './start/readAge.js';
import { addStoreCommands } from './start/storeCommands.js';
import type { StoreWish } from './team/StoreWish.js';

/** Exported again, so that the package is loaded only when there is something to parse. */
export { CommanderError, describeRefusal };

const HELP_WIDTH = 80;

/** The commands that run whatever is wrong with the settings of the user. */
const TOLERANT_COMMANDS: ReadonlySet<string> = new Set([
  // A client shows a server that ends without the reason: its tools say what is wrong.
  ...['doctor', 'completion', 'mcp'],
  ...['config', 'set', 'unset', 'path'],
]);

/** The commands that read or write sessions, which may be in a shared store. */
const SESSION_COMMANDS: ReadonlySet<string> = new Set([
  ...[
    'run',
    'resume',
    'sessions',
    'show',
    'fork',
    'rewind',
    'delete',
    'rename',
    'export',
    'import',
    'cassette',
  ],
  ...['cost', 'why', 'replay', 'diff', 'undo', 'apply', 'commit', 'web', 'acp', 'mcp', 'worker'],
]);
const STORE_FLAGS = '--store <store>';

/** The whole command line: names, options, help. `finish` is called with the exit code a command came to. */
export function createProgram(context: CliContext, finish: (exitCode: number) => void): Command {
  const { help } = words;
  const { options } = help;
  const act = (command: Command, power: Power, load: Load): Command =>
    command.action(async () => {
      if (power === 'writes') (await import('./trust/outerTurn.js')).requirePerson(context);
      if (!TOLERANT_COMMANDS.has(command.name())) requireSettings(context);
      Object.assign(context, { storeWish: storeWishOf(command, program) });
      const perform = await load();
      finish(await perform(givenTo(command), context, program));
    });
  const add: AddCommand = (key, power, load, command = program.command(key)) =>
    act(command, power, load)
      .description(help[key])
      // Not with those of its own commands, which have their own.
      .addHelpText('afterAll', ({ command: shown }) => (shown === command ? examplesOf(key) : ''));

  const program = new Command('huddle')
    .description(help.program)
    .usage(help.usage)
    .argument('[message]')
    .version(readVersion(), '-V, --version', help.version)
    .helpOption('-h, --help', help.help)
    .helpCommand('help [command]', help.helpCommand)
    .configureOutput({
      getOutHelpWidth: () => HELP_WIDTH,
      getErrHelpWidth: () => HELP_WIDTH,
      writeOut: (text) => context.stdout.write(text),
      writeErr: (text) => context.stderr.write(text),
      // Errors are said by `reportError`, like all others.
      outputError: () => undefined,
    })
    .option('-c, --continue', options.continue)
    .option('-p, --print', options.print)
    .addOption(new Option('--rehearse', options.rehearse).conflicts('continue'))
    .option('--plain', options.plain)
    .addOption(createModelOption())
    .option('--read-only', options.readOnly)
    .option(STORE_FLAGS, options.store)
    .option(FOLDER_FLAGS, options.inFolder)
    // Taken out of the arguments before they come here, since it may stand behind any command.
    .addOption(new Option('--lang <language>', options.language).choices(LANGUAGES))
    .addOption(createNestedOption())
    // An option after the name of a command is that command's.
    .enablePositionalOptions()
    .exitOverride()
    .configureHelp({ ...inChosenLanguage(), subcommandTerm: describeTerm })
    .addHelpText('after', ['', ...help.afterProgram].join('\n'));
  act(program, 'starts', async () => (await import('./commands/start.js')).start);

  const run = add('run', 'starts', async () => (await import('./commands/run.js')).run);
  addRunOptions(run.argument('[message]', help.message))
    .addOption(new Option('-c, --continue', options.continue).conflicts('ephemeral'))
    .option('--ephemeral', options.ephemeral)
    .addOption(new Option('--record <file>', options.record).conflicts('continue'))
    .addOption(new Option('--cassette <file>', options.cassette).conflicts(NOT_PLAYED))
    .addOption(new Option('--match <what>', options.match).choices(['all', 'order']))
    .addOption(new Option('--accept', options.accept).conflicts(['outputFormat', 'json', 'final', 'match']))
    .option('--force', options.forceRecording)
    .addOption(new Option('--on <role>', options.on).conflicts(NOT_ELSEWHERE))
    .option('--subject <subject>', options.subject)
    .addOption(new Option('--detach', options.detach).conflicts(['outputFormat', 'json', 'final']))
    .addOption(createNestedOption());

  const rehearse = add('rehearse', 'reads', async () => (await import('./commands/rehearse.js')).rehearse);
  addConversationOptions(rehearse.argument('[message]', help.message))
    .option('--no-prompts', options.noPrompts)
    .option('--script <file>', options.script);

  act(program.command('demo'), 'reads', async () => (await import('./commands/demo.js')).demo)
    .description(help.demo)
    .option('--plain', options.plain);

  add('init', 'writes', async () => (await import('./commands/init.js')).init)
    .addOption(new Option('--preset <name>', options.preset).choices(PRESET_NAMES))
    .option('--yes', options.yes)
    .option('--force', options.force)
    .addHelpText(
      'after',
      ['', ...help.presets(PRESET_NAMES.map((name) => [name, findPreset(name).summary]))].join('\n'),
    );

  const check = program.command('team').description(help.team).command('check');
  add('teamCheck', 'reads', async () => (await import('./commands/teamCheck.js')).checkTeam, check)
    .argument('[file]', help.teamFile)
    .option('--json', options.json);

  add('doctor', 'reads', async () => (await import('./commands/doctor.js')).doctor).option(
    '--json',
    options.json,
  );

  const config = add('config', 'reads', async () => (await import('./commands/config.js')).showConfig)
    .argument('[key]', help.settingKey)
    .option('--json', options.json);
  add(
    'configSet',
    'writes',
    async () => (await import('./commands/configSet.js')).setConfig,
    config.command('set'),
  )
    .argument('<key>', help.settingKey)
    .argument('<value...>', help.settingValue);
  add(
    'configUnset',
    'writes',
    async () => (await import('./commands/configSet.js')).unsetConfig,
    config.command('unset'),
  ).argument('<key>', help.settingKey);
  add(
    'configPath',
    'reads',
    async () => (await import('./commands/config.js')).printConfigPath,
    config.command('path'),
  );

  add('trust', 'writes', async () => (await import('./commands/trust.js')).trust)
    .argument('[folder]', help.folder)
    .option('--yes', options.yes);

  add('sessions', 'reads', async () => (await import('./commands/sessions.js')).listSessions)
    .option('--all', options.all)
    .option('--search <text>', options.search)
    .option('--json', options.json);

  add('show', 'reads', async () => (await import('./commands/show.js')).show).argument('[id]', help.session);

  const resume = add('resume', 'starts', async () => (await import('./commands/resume.js')).resume)
    .argument('[id]', help.session)
    .argument('[message]', help.resumeMessage)
    .option('--retry', options.retry);
  addRunOptions(resume)
    .option('--take-over', options.takeOver)
    .addOption(createNestedOption())
    .option('--plain', options.plain);

  add('fork', 'writes', async () => (await import('./commands/fork.js')).fork)
    .argument('[session]', help.session)
    .addOption(new Option('--at <message>', options.at).conflicts('before'))
    .option('--before <message>', options.before)
    .option('--keep-queue', options.keepQueue)
    .option('--id <new-id>', options.id);

  add('rewind', 'writes', async () => (await import('./commands/rewind.js')).rewind)
    .argument('[session]', help.session)
    .option('--to <message>', options.to)
    .option('--plain', options.plain);

  add('delete', 'writes', async () => (await import('./commands/delete.js')).deleteSession)
    .argument('[id]', help.sessionRequired)
    .addOption(new Option('--older-than <age>', options.olderThan).argParser(readAge))
    .option('--all', options.all)
    .option('--yes', options.yes);

  add('rename', 'writes', async () => (await import('./commands/rename.js')).rename)
    .argument('<id>', help.sessionRequired)
    .argument('<title>', help.title);

  add('export', 'reads', async () => (await import('./commands/export.js')).exportSession)
    .argument('[id]', help.session)
    .addOption(createChoice('--format <format>', options.exportFormat, EXPORT_FORMATS))
    .option('--output <file>', options.output);

  add('import', 'writes', async () => (await import('./commands/import.js')).importSession)
    .argument('<file>', help.importFile)
    .option('--id <new-id>', options.id);

  add('cassette', 'reads', async () => (await import('./cassettes/recordRun.js')).makeCassetteOfSession)
    .argument('[id]', help.session)
    .option('--output <file>', options.output)
    .option('--force', options.forceRecording)
    .option('--team <file>', options.team);

  add('cost', 'reads', async () => (await import('./commands/cost.js')).cost)
    .argument('[id]', help.session)
    .option('--json', options.json);

  add('replay', 'starts', async () => (await import('./cassettes/replay.js')).replay)
    .argument('<recording>', help.recording)
    .option('--against <file>', options.against)
    .option('--each-turn', options.eachTurn)
    .option('--repeat <number>', options.repeat, readRepeat)
    .option('--check <command>', options.check)
    .option('--diff', options.answers)
    .option('--json', options.json)
    .option('--max-usd <amount>', options.maxUsdOfAll, readAmount)
    .addOption(createModelOption())
    .addOption(new Option('--read-only', options.readOnly).conflicts('inPlace'))
    .option('--in-place', options.inPlace)
    .option('--trust', options.trust)
    .addOption(createNestedOption());

  add('mcp', 'starts', async () => (await import('./commands/mcp.js')).mcp)
    .addOption(new Option('--config <client>', options.mcpConfig).choices(MCP_CLIENTS))
    .option('--team <file>', options.team)
    .option(FOLDER_FLAGS, options.mcpFolder)
    .addOption(createChoice('--permission <permission>', options.mcpPermission, ['read', 'team']))
    .option('--continue-sessions', options.mcpContinueSessions)
    .option('--max-asks <number>', options.maxAsks, readWholeNumber, MCP_DEFAULTS.maxAsks)
    .option('--max-turns <number>', options.maxTurnsOfAll, readWholeNumber, MCP_DEFAULTS.maxTurns)
    .option('--max-usd <amount>', options.maxUsdOfAsks, readAmount)
    .option('--wait <seconds>', options.mcpWait, readWait)
    .option('--trust', options.trust)
    .option('--debug-file <file>', options.debugFile)
    .addOption(createNestedOption());

  add('why', 'reads', async () => (await import('./commands/why.js')).why)
    .argument('[turn]', help.turn)
    .option('--session <id>', help.session)
    .option('--prompt', options.prompt)
    .option('--system', options.system)
    .option('--json', options.json)
    .option('--compare <member>', options.compare);

  addChoice(add('diff', 'reads', async () => (await import('./commands/diff.js')).diff))
    .addOption(new Option('--stat', options.stat).conflicts('names'))
    .option('--names', options.names)
    .option('--json', options.json);

  addChoice(add('undo', 'writes', async () => (await import('./commands/undo.js')).undo))
    .option('--dry-run', options.dryRun)
    .option('--yes', options.yes)
    .option('--json', options.json);

  addChoice(
    add('apply', 'writes', async () => (await import('./commands/undo.js')).apply),
    ['<turn>', help.appliedTurn],
  )
    .option('--dry-run', options.dryRun)
    .option('--yes', options.yes)
    .option('--json', options.json);

  addChoice(add('commit', 'writes', async () => (await import('./commands/commit.js')).commit)).option(
    '-m, --message <text>',
    options.commitMessage,
  );

  add('acp', 'starts', async () => (await import('./commands/acp.js')).acp)
    .option('--team <file>', options.team)
    .option('--as <name>', options.as)
    .option('--max-turns <number>', options.maxTurns, readWholeNumber)
    .option('--max-usd <amount>', options.maxUsd, readAmount)
    .option('--ephemeral', options.ephemeral)
    .option('--trust', options.trust)
    .option('--debug-file <file>', options.debugFile)
    .addOption(createNestedOption());

  add('web', 'starts', async () => (await import('./commands/web.js')).web)
    .argument('[id]', help.webSession)
    .option('--port <number>', options.port, readPort)
    .option('--open', options.open)
    .option('--watch-only', options.watchOnly)
    .option('--team <file>', options.team)
    .option('--trust', options.trust)
    .option('--debug-file <file>', options.debugFile);

  addStoreCommands(program, add);

  add('completion', 'reads', async () => (await import('./commands/completion.js')).completion)
    .addArgument(new Argument('<shell>', help.shell).choices(SHELL_NAMES))
    .argument('[words...]', help.completionWords);

  for (const command of program.commands)
    if (SESSION_COMMANDS.has(command.name())) command.option(STORE_FLAGS, options.store);
  return program;
}

function examplesOf(key: Exemplified): string {
  const { help } = words;
  return ['', ...help.examples(help[`${key}Examples`])].join('\n');
}

/** A command in a list: `resume [id] [message]`. What only a script passes is left out. */
function describeTerm(command: Command): string {
  const parts = command.registeredArguments
    .filter(({ variadic }) => !variadic)
    .map((argument) => (argument.required ? `<${argument.name()}>` : `[${argument.name()}]`));
  return [command.name(), ...parts].join(' ');
}

/** Arguments and options by their names; the declarations of a command say of what types they are. */
function givenTo(command: Command): never {
  const words = command.registeredArguments.map((argument, at) => [
    argument.name(),
    command.processedArgs[at],
  ]);
  const { store: _, ...options } = command.opts<{ store?: string }>();
  return { ...options, ...Object.fromEntries(words) } as never;
}

/** The store that is asked for, for all commands alike: --store may stand before a command as well. `chooseStore` decides. */
function storeWishOf(command: Command, program: Command): StoreWish {
  const { store, team, on } = command.opts<{ store?: string; team?: string; on?: string }>();
  // A team elsewhere has a name, not a file.
  const teamFile = on === undefined ? team : undefined;
  return { name: store ?? program.opts<{ store?: string }>().store, teamFile };
}

/** The text of `huddle --help`. */
export function formatHelp(program: Command): string {
  let text = '';
  program.configureOutput({ writeOut: (part) => (text += part) }).outputHelp();
  return text;
}

/** Options of `run` that are about the team or the session here. */
const NOT_ELSEWHERE = [
  ...['continue', 'ephemeral', 'record', 'cassette', 'accept', 'force'],
  ...['maxTurns', 'maxUsd', 'model', 'readOnly', 'trust'],
];

/** Options of `run` that are about agents that are started, or sessions that are kept. */
const NOT_PLAYED = ['continue', 'ephemeral', 'record', 'trust', 'debugFile'];

/** Can be given for several members. */
function createModelOption(): Option {
  return new Option('-m, --model <member=name>', words.help.options.model).argParser(
    (value: string, before: readonly string[] = []) => [...before, value],
  );
}

/** In no help: a model would type it. */
function createNestedOption(): Option {
  return new Option('--nested').hideHelp();
}

/** Arguments and options of commands about changed files. */
function addChoice(
  command: Command,
  what: readonly [string, string] = ['[what]', words.help.changes],
): Command {
  return command
    .argument(...what)
    .argument('[paths...]', words.help.paths)
    .usage(`[options] ${what[0]} [-- paths...]`)
    .option('--session <id>', words.help.session);
}

/** Options of commands that start agents and print what they answer. */
function addRunOptions(command: Command): Command {
  return addConversationOptions(command)
    .addOption(createFinalOption())
    .addOption(createModelOption())
    .option('--read-only', words.help.options.readOnly);
}

function addConversationOptions(command: Command): Command {
  const { options } = words.help;
  return command
    .option('--file <file>', options.file)
    .addOption(createChoice('--output-format <format>', options.format, OUTPUT_FORMATS))
    .addOption(createJsonOption())
    .option('--max-turns <number>', options.maxTurns, readWholeNumber)
    .option('--max-usd <amount>', options.maxUsd, readAmount)
    .option('--team <file>', options.team)
    .option('--trust', options.trust)
    .option('--debug-file <file>', options.debugFile);
}

/** As other tools call it. */
function createJsonOption(): Option {
  return new Option('--json', words.help.options.asJson).conflicts('final').implies({ outputFormat: 'json' });
}

/** For the text format only: the others have all answers apart. */
function createFinalOption(): Option {
  return new Option('--final', words.help.options.final).conflicts('outputFormat');
}

/** An option with a list of values, of which the first is the default. */
function createChoice(flags: string, description: string, values: readonly string[]): Option {
  return new Option(flags, description).choices(values).default(values[0]);
}
