import { english } from '../../catalogue/english.js';
import { findAgentType } from '../../models/AgentConfig.js';
import type { Team } from '../../models/Team.js';
import { chooseTeam } from '../chooseTeam.js';
import { holdConversation } from '../holdConversation.js';
import type { OutputFormat } from '../outputFormats.js';
import { readMessage } from '../readMessage.js';
import { type Surroundings, say } from '../Surroundings.js';

/** What `run` and `rehearse` have in common. */
export interface ConversationOptions {
  readonly message?: string;
  readonly file?: string;
  readonly outputFormat: OutputFormat;
  readonly maxTurns?: number;
  readonly maxUsd?: number;
  readonly team?: string;
  readonly trust?: boolean;
  readonly debugFile?: string;
}

/** One conversation to its end. The message is read first: without one nothing is looked for, let alone started. */
export async function run(options: ConversationOptions, surroundings: Surroundings): Promise<number> {
  return runMessage(await readMessage(options, surroundings), options, surroundings);
}

export async function runMessage(
  message: string,
  options: ConversationOptions,
  surroundings: Surroundings,
): Promise<number> {
  const chosen = await chooseTeam({ ...options, isRehearsal: false }, surroundings);
  const team = limitTeam(chosen.team, options);
  if (options.maxUsd !== undefined && !chosen.isRehearsal) warnOfUnpriced(team, surroundings);
  return holdConversation(
    {
      team,
      workingFolder: chosen.workingFolder,
      message,
      format: options.outputFormat,
      ...(chosen.isRehearsal && { rehearsal: {} }),
      ...(options.debugFile !== undefined && { debugFile: options.debugFile }),
    },
    surroundings,
  );
}

/** The team with the limits of the command line in place of its own. */
export function limitTeam(team: Team, { maxTurns, maxUsd }: ConversationOptions): Team {
  return {
    ...team,
    limits: {
      ...team.limits,
      ...(maxTurns !== undefined && { agentTurns: maxTurns }),
      ...(maxUsd !== undefined && { usd: maxUsd }),
    },
  };
}

function warnOfUnpriced({ members, prices }: Team, surroundings: Surroundings): void {
  const unpriced = members.filter(
    (member) =>
      member.type === 'ai' &&
      findAgentType(member.agentType)?.reports === 'tokens' &&
      !prices.some(({ model }) => model === member.model),
  );
  if (unpriced.length > 0)
    say(surroundings, english.cli.warning(english.cli.unpriced(unpriced.map(({ name }) => name))));
}
