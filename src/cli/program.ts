import { Command, InvalidArgumentError, Option } from 'commander';
import { english } from '../catalogue/english.js';
import { OUTPUT_FORMATS } from './outputFormats.js';
import type { Surroundings } from './Surroundings.js';

const { help } = english;
const HELP_WIDTH = 80;

/** Called with the exit code a command came to. */
type Finish = (exitCode: number) => void;

/** The whole command line: names, options, help. What a command does is loaded when it is called. */
export function createProgram(surroundings: Surroundings, finish: Finish): Command {
  const program = new Command('huddle')
    .description(help.program)
    .version('', '-V, --version', help.version)
    .helpOption('-h, --help', help.help)
    .helpCommand('help [command]', help.helpCommand)
    .configureOutput({
      getOutHelpWidth: () => HELP_WIDTH,
      getErrHelpWidth: () => HELP_WIDTH,
      // Errors are said by `reportError`, like all others.
      outputError: () => undefined,
    })
    .exitOverride()
    .addHelpText('after', ['', ...help.afterProgram].join('\n'));

  addConversationOptions(program.command('run').description(help.run))
    .addHelpText('after', examples(help.runExamples))
    .action(async (message, options) => {
      const { run } = await import('./commands/run.js');
      finish(await run({ ...options, message }, surroundings));
    });

  addConversationOptions(program.command('rehearse').description(help.rehearse))
    .option('--no-prompts', help.options.noPrompts)
    .option('--script <file>', help.options.script)
    .addHelpText('after', examples(help.rehearseExamples))
    .action(async (message, options) => {
      const { rehearse } = await import('./commands/rehearse.js');
      finish(await rehearse({ ...options, message }, surroundings));
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
      finish(await checkTeam({ ...options, file }, surroundings));
    });

  program
    .command('doctor')
    .description(help.doctor)
    .option('--json', help.options.json)
    .addHelpText('after', examples(help.doctorExamples))
    .action(async (options) => {
      const { doctor } = await import('./commands/doctor.js');
      finish(await doctor(options, surroundings));
    });

  program
    .command('trust')
    .description(help.trust)
    .argument('[folder]', help.folder)
    .option('--yes', help.options.yes)
    .addHelpText('after', examples(help.trustExamples))
    .action(async (folder, options) => {
      const { trust } = await import('./commands/trust.js');
      finish(await trust({ ...options, folder }, surroundings));
    });

  return program;
}

/** The text of `huddle --help`. */
export function formatHelp(program: Command): string {
  let text = '';
  program.configureOutput({ writeOut: (part) => (text += part) }).outputHelp();
  return text;
}

function addConversationOptions(command: Command): Command {
  const { options } = help;
  return command
    .argument('[message]', help.message)
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
    .option('--ephemeral', options.ephemeral)
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
