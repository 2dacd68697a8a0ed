import { words } from '../../catalogue/words.js';
import { readVersion } from '../../utils/readVersion.js';
import { type CliContext, withMore } from './CliContext.js';
import type { CliCommand } from './command.js';
import { type MeantLine, orSeeHelp, readLine } from './commandLine.js';
import { EXIT_CODES } from './exitCodes.js';
import { formatHelp } from './help.js';
import { requireSettings } from './loadSettings.js';

/** Does what a command line says. Returns the exit code. */
export function performLine(
  args: readonly string[],
  program: CliCommand,
  context: CliContext,
): Promise<number> {
  const line = readLine(args, program, words);
  return orSeeHelp(line.path, words, () => perform(line, program, context));
}

async function perform(line: MeantLine, program: CliCommand, context: CliContext): Promise<number> {
  switch (line.kind) {
    case 'version':
      context.stdout.write(`${readVersion()}\n`);
      return EXIT_CODES.done;
    case 'help':
      context.stdout.write(formatHelp(line.command, line.path, words));
      return EXIT_CODES.done;
    case 'incomplete':
      context.stderr.write(formatHelp(line.command, line.path, words));
      return EXIT_CODES.usage;
    case 'command':
      return performCommand(line, program, context);
  }
}

async function performCommand(
  { command, values, before }: Extract<MeantLine, { kind: 'command' }>,
  program: CliCommand,
  context: CliContext,
): Promise<number> {
  if (command.power === 'writes') (await import('../trust/outerTurn.js')).requirePerson(context);
  if (!command.isTolerant) requireSettings(context);
  const perform = await command.load?.();
  if (perform === undefined) return EXIT_CODES.usage;
  // --store may stand before the command as well; the team of a worker elsewhere has a name, not a file.
  const teamFile = values.on === undefined ? values.team : undefined;
  const storeWish = { name: textOf(values.store ?? before.store), teamFile: textOf(teamFile) };
  return perform(values, withMore(context, { storeWish }), program);
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
