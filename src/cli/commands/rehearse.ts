import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { describeSystemError } from '../../catalogue/errors.js';
import { words } from '../../catalogue/words.js';
import type { Conversation } from '../../coordinator/Conversation.js';
import type { Team } from '../../models/Team.js';
import { chooseReplies, findPresetReplies } from '../sessions/rehearsal.js';
import { runConversation } from '../sessions/runConversation.js';
import type { CliContext } from '../start/CliContext.js';
import type { RunFlags } from '../start/RunFlags.js';
import { findMessage, readMessage, requireNoSlip } from '../start/readMessage.js';
import { UsageError } from '../start/reportError.js';
import { chooseTeam } from '../team/chooseTeam.js';

export interface RehearseOptions extends RunFlags {
  readonly noPrompts?: boolean;
  readonly script?: string;
}

/** Does the same as `run` with simulated agents, and shows what each of them is sent. Without a message it asks everyone. */
export async function rehearse(options: RehearseOptions, context: CliContext): Promise<number> {
  const isAsked = options.message !== undefined || options.file !== undefined;
  const message = isAsked ? await readMessage(options, context) : await findMessage(context);
  return rehearseMessage(message, options, context);
}

/** The same with a message that was read. */
export async function rehearseMessage(
  message: string | undefined,
  options: RehearseOptions,
  context: CliContext,
): Promise<number> {
  const scripted = options.script === undefined ? undefined : await findScript(options.script, context);
  const { team, workingFolder } = await chooseTeam({ ...options, isRehearsal: true }, context);
  requireNoSlip(options, team);
  const { outputFormat, debugFile } = options;
  const showPrompts = !options.noPrompts;
  // What programs read does not depend on the language.
  const findReplies = outputFormat === 'text' ? chooseReplies : findPresetReplies;
  const rehearsal = scripted ?? { script: findReplies(team) };
  const begin = (conversation: Conversation) => conversation.send(message ?? askEveryone(team));
  const settings = { team, workingFolder, outputFormat, debugFile, showPrompts, rehearsal, begin };
  return runConversation({ ...settings, isTranscript: true }, context);
}

/** Checks the script once, before any simulated agent is asked: each of them reads it again for itself. */
async function findScript(file: string, { workingFolder }: CliContext): Promise<{ scriptFile: string }> {
  const scriptFile = resolve(workingFolder, file);
  try {
    JSON.parse(await readFile(scriptFile, 'utf8'));
    return { scriptFile };
  } catch (error) {
    throw new UsageError(words.cli.cannotRead(file, describeSystemError(error)));
  }
}

function askEveryone({ members, limits }: Team): string {
  const agents = members.filter(({ type }) => type === 'ai').map(({ name }) => name);
  return words.rehearsal.opening(agents.slice(0, limits.addressees));
}
