import { resolve } from 'node:path';
import { words } from '../../catalogue/words.js';
import { readVersion } from '../../utils/readVersion.js';
import type { McpClient, McpFlags } from '../serve/mcpClients.js';
import { type CliContext, exitCodeAfter, print, say } from '../start/CliContext.js';
import { EXIT_CODES } from '../start/exitCodes.js';
import { describeForPeople, UsageError } from '../start/reportError.js';
import { requireSettings } from '../start/settings.js';
import { stopOnSignals, surviveErrors } from '../start/stopOnSignals.js';

/** Lets other agents ask the team, over standard input and output, until the input ends. */
export async function mcp(flags: McpFlags, context: CliContext): Promise<number> {
  if (flags.config !== undefined) return printConfig(flags.config, flags, context);
  if (context.stdin.isTTY) throw new UsageError(words.mcp.onTerminal);
  surviveErrors(context);
  const releaseSignals = stopOnSignals(context);
  const { serveMcp } = await import('../../frontends/mcp/serveMcp.js');
  const isOver = await serveMcp(
    {
      openConversations: () => open(flags, context),
      folder: resolve(context.workingFolder, flags.folder ?? ''),
      permission: flags.permission,
      continuesSessions: flags.continueSessions,
      limits: flags,
      waitSeconds: flags.wait,
      version: readVersion(),
      words,
      describe: (error) => describeForPeople(error, context),
      log: (line) => say(context, line),
    },
    { input: context.stdin, output: context.stdout },
    context.stop.signal,
  );
  releaseSignals();
  const exitCode = exitCodeAfter(context, EXIT_CODES.done);
  // The client is gone, and the watchdog stops what is left.
  if (!isOver) context.host.exit(exitCode);
  return exitCode;
}

/** Loaded when a client asks for more than who we are. */
async function open({ team, trust, nested, debugFile }: McpFlags, context: CliContext) {
  requireSettings(context);
  const { openConversations } = await import('../serve/openConversations.js');
  return openConversations({ team, trust, nested, debugFile }, context);
}

async function printConfig(client: McpClient, flags: McpFlags, context: CliContext): Promise<number> {
  const { formatClientConfig } = await import('../serve/formatClientConfig.js');
  const { serverCommand } = await import('../serve/formatClientConfig.js');
  say(context, words.mcp.config[client]);
  print(context, formatClientConfig(client, serverCommand(flags, context), context));
  if (!flags.trust) say(context, words.mcp.config.trust);
  return EXIT_CODES.done;
}
