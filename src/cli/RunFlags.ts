import { english } from '../catalogue/english.js';
import { findAgentType } from '../models/AgentConfig.js';
import type { Team } from '../models/Team.js';
import { type CliContext, say } from './CliContext.js';
import type { OutputFormat } from './outputFormats.js';

/** The flags that `run`, `rehearse` and `resume` have in common. */
export interface RunFlags {
  readonly message?: string;
  readonly file?: string;
  readonly outputFormat: OutputFormat;
  readonly maxTurns?: number;
  readonly maxUsd?: number;
  /** A team file. */
  readonly team?: string;
  /** The user vouches for what the team file starts, this time. */
  readonly trust?: boolean;
  /** Agents may be started although this runs inside a turn. */
  readonly nested?: boolean;
  readonly debugFile?: string;
}

/** The team with the limits of the command line instead of its own; warns if one of them cannot hold for every member. */
export function limitTeam(
  team: Team,
  {
    maxTurns,
    maxUsd,
    isRehearsal,
  }: Pick<RunFlags, 'maxTurns' | 'maxUsd'> & { readonly isRehearsal: boolean },
  context: CliContext,
): Team {
  if (maxUsd !== undefined && !isRehearsal) warnOfUnpriced(team, context);
  const { agentTurns, usd } = team.limits;
  return { ...team, limits: { ...team.limits, agentTurns: maxTurns ?? agentTurns, usd: maxUsd ?? usd } };
}

function warnOfUnpriced({ members, prices }: Team, context: CliContext): void {
  const unpriced = members.filter(
    (member) =>
      member.type === 'ai' &&
      findAgentType(member.agentType)?.reports === 'tokens' &&
      !prices.some(({ model }) => model === member.model),
  );
  if (unpriced.length > 0)
    say(context, english.cli.warning(english.cli.unpriced(unpriced.map(({ name }) => name))));
}
