import { Argument, Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { english } from '../catalogue/english.js';
import { PRESET_NAMES, PRESETS } from '../catalogue/presets.js';
import { readVersion } from '../utils/readVersion.js';
import type { CliContext } from './CliContext.js';
import { SHELL_NAMES } from './completion/shells.js';
import { EXPORT_FORMATS, OUTPUT_FORMATS } from './outputFormats.js';

/** For whoever loads all this only when there is something to parse. */
export { CommanderError };

const { help } = english;
const HELP_WIDTH = 80;

/** Called with the exit code a command came to. */
type Finish = (exitCode: number) => void;

/** The whole command line: names, options, help. What a command does is loaded when it is called. */
export function createProgram(context: CliContext, finish: Finish): Command {
  const program = new Command('huddle')
    .description(help.program)
    .version(readVersion(), '-V, --version', help.version)
    .helpOption('-h, --help', help.help)
    .helpCommand('help [command]', help.helpCommand)
    .configureOutput({
      getOutHelpWidth: () => HELP_WIDTH,
      getErrHelpWidth: () => HELP_WIDTH,
      // Errors are said by `reportError`, like all others.
      outputError: () => undefined,
    })
    .option('-c, --continue', help.options.continue)
    .option('--plain', help.options.plain)
    .addOption(createNestedOption())
    // An option after the name of a command is that command's.
    .enablePositionalOptions()
    .exitOverride()
    .addHelpText('after', ['', ...help.afterProgram].join('\n'))
    .action(async (options) => {
      const { start } = await import('./commands/start.js');
      const { continueLatest } = await import('./commands/continue.js');
      finish(await (options.continue ? continueLatest : start)(context, options));
    });

  addConversationOptions(program.command('run').description(help.run).argument('[message]', help.message))
    .addOption(new Option('-c, --continue', help.options.continue).conflicts('ephemeral'))
    .option('--ephemeral', help.options.ephemeral)
    .addOption(createNestedOption())
    .addHelpText('after', examples(help.runExamples))
    .action(async (message, options) => {
      const { run } = await import('./commands/run.js');
      finish(await run({ ...options, message }, context));
    });

  addConversationOptions(
    program.command('rehearse').description(help.rehearse).argument('[message]', help.message),
  )
    .option('--no-prompts', help.options.noPrompts)
    .option('--script <file>', help.options.script)
    .addHelpText('after', examples(help.rehearseExamples))
    .action(async (message, options) => {
      const { rehearse } = await import('./commands/rehearse.js');
      finish(await rehearse({ ...options, message }, context));
    });

  program
    .command('demo')
    .description(help.demo)
    .option('--plain', help.options.plain)
    .action(async (options) => {
      const { demo } = await import('./commands/demo.js');
      finish(await demo(context, options));
    });

  program
    .command('init')
    .description(help.init)
    .addOption(new Option('--preset <name>', help.options.preset).choices(PRESET_NAMES))
    .option('--yes', help.options.yes)
    .option('--force', help.options.force)
    .addHelpText(
      'after',
      ['', ...help.presets(PRESET_NAMES.map((name) => [name, PRESETS[name].summary]))].join('\n'),
    )
    .addHelpText('after', examples(help.initExamples))
    .action(async (options) => {
      const { init } = await import('./commands/init.js');
      finish(await init(options, context));
    });

  program
    .command('team')
    .description(help.team)
    .command('check')
    .description(help.teamCheck)
    .argument('[file]', help.teamFile)
    .option('--json', help.options.json)
    .addHelpText('after', examples(help.teamCheckExamples))
    .action(async (file, options) => {
      const { checkTeam } = await import('./commands/teamCheck.js');
      finish(await checkTeam({ ...options, file }, context));
    });

  program
    .command('doctor')
    .description(help.doctor)
    .option('--json', help.options.json)
    .addHelpText('after', examples(help.doctorExamples))
    .action(async (options) => {
      const { doctor } = await import('./commands/doctor.js');
      finish(await doctor(options, context));
    });

  program
    .command('trust')
    .description(help.trust)
    .argument('[folder]', help.folder)
    .option('--yes', help.options.yes)
    .addHelpText('after', examples(help.trustExamples))
    .action(async (folder, options) => {
      const { trust } = await import('./commands/trust.js');
      finish(await trust({ ...options, folder }, context));
    });

  addSessionCommands(program, context, finish);

  program
    .command('completion')
    .description(help.completion)
    .addArgument(new Argument('<shell>', help.shell).choices(SHELL_NAMES))
    .argument('[words...]', help.completionWords)
    .addHelpText('after', examples(help.completionExamples))
    .action(async (shell, words) => {
      const { completion } = await import('./commands/completion.js');
      finish(await completion({ shell, words, program }, context));
    });
  return program;
}

/** Everything about stored conversations. */
function addSessionCommands(program: Command, context: CliContext, finish: Finish): void {
  const { options } = help;
  program
    .command('sessions')
    .description(help.sessions)
    .option('--all', options.all)
    .option('--json', options.json)
    .addHelpText('after', examples(help.sessionsExamples))
    .action(async (given) => {
      const { listSessions } = await import('./commands/sessions.js');
      finish(await listSessions(given, context));
    });

  program
    .command('show')
    .description(help.show)
    .argument('[id]', help.session)
    .addHelpText('after', examples(help.showExamples))
    .action(async (id) => {
      const { show } = await import('./commands/show.js');
      finish(await show({ id }, context));
    });

  addConversationOptions(
    program
      .command('resume')
      .description(help.resume)
      .argument('[id]', help.session)
      .argument('[message]', help.resumeMessage)
      .option('--retry', options.retry),
  )
    .option('--take-over', options.takeOver)
    .addOption(createNestedOption())
    .option('--plain', options.plain)
    .addHelpText('after', examples(help.resumeExamples))
    .action(async (id, message, given) => {
      const { resume } = await import('./commands/resume.js');
      finish(await resume({ ...given, id, message }, context));
    });

  program
    .command('delete')
    .description(help.delete)
    .argument('<id>', help.sessionRequired)
    .option('--yes', options.yes)
    .addHelpText('after', examples(help.deleteExamples))
    .action(async (id, given) => {
      const { deleteSession } = await import('./commands/delete.js');
      finish(await deleteSession({ ...given, id }, context));
    });

  program
    .command('export')
    .description(help.export)
    .argument('[id]', help.session)
    .addOption(
      new Option('--format <format>', options.exportFormat)
        .choices(EXPORT_FORMATS)
        .default(EXPORT_FORMATS[0]),
    )
    .option('--output <file>', options.output)
    .addHelpText('after', examples(help.exportExamples))
    .action(async (id, given) => {
      const { exportSession } = await import('./commands/export.js');
      finish(await exportSession({ ...given, id }, context));
    });

  program
    .command('import')
    .description(help.import)
    .argument('<file>', help.importFile)
    .option('--id <new-id>', options.id)
    .addHelpText('after', examples(help.importExamples))
    .action(async (file, given) => {
      const { importSession } = await import('./commands/import.js');
      finish(await importSession({ ...given, file }, context));
    });

  program
    .command('cost')
    .description(help.cost)
    .argument('[id]', help.session)
    .option('--json', options.json)
    .addHelpText('after', examples(help.costExamples))
    .action(async (id, given) => {
      const { cost } = await import('./commands/cost.js');
      finish(await cost({ ...given, id }, context));
    });

  program
    .command('why')
    .description(help.why)
    .argument('<turn>', help.turn)
    .option('--session <id>', help.session)
    .option('--prompt', options.prompt)
    .option('--system', options.system)
    .option('--json', options.json)
    .option('--compare <member>', options.compare)
    .addHelpText('after', examples(help.whyExamples))
    .action(async (turn, given) => {
      const { why } = await import('./commands/why.js');
      finish(await why({ ...given, turn }, context));
    });
}

/** The text of `huddle --help`. */
export function formatHelp(program: Command): string {
  let text = '';
  program.configureOutput({ writeOut: (part) => (text += part) }).outputHelp();
  return text;
}

/** In no help: a model would type it. */
function createNestedOption(): Option {
  return new Option('--nested').hideHelp();
}

function addConversationOptions(command: Command): Command {
  const { options } = help;
  return command
    .option('--file <file>', options.file)
    .addOption(
      new Option('--output-format <format>', options.format)
        .choices(OUTPUT_FORMATS)
        .default(OUTPUT_FORMATS[0]),
    )
    .option('--max-turns <number>', options.maxTurns, readWholeNumber)
    .option('--max-usd <amount>', options.maxUsd, readAmount)
    .option('--team <file>', options.team)
    .option('--trust', options.trust)
    .option('--debug-file <file>', options.debugFile);
}

function examples(lines: readonly string[]): string {
  return ['', ...help.examples(lines)].join('\n');
}

function readWholeNumber(value: string): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number) || number < 1) throw new InvalidArgumentError(english.cli.wholeNumber);
  return number;
}

function readAmount(value: string): number {
  const number = Number(value);
  if (!Number.isFinite(number) || number <= 0) throw new InvalidArgumentError(english.cli.money);
  return number;
}
