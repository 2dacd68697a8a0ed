import { english } from '../catalogue/english.js';
import { findAgentType } from '../models/AgentConfig.js';
import type { Team } from '../models/Team.js';
import { type CliContext, say } from './CliContext.js';
import type { OutputFormat } from './outputFormats.js';

/** What `run`, `rehearse` and `resume` have in common. */
export interface RunFlags {
  readonly message?: string;
  readonly file?: string;
  readonly outputFormat: OutputFormat;
  readonly maxTurns?: number;
  readonly maxUsd?: number;
  readonly team?: string;
  readonly trust?: boolean;
  readonly nested?: boolean;
  readonly debugFile?: string;
}

/** The team with the limits of the command line in place of its own. */
export function limitTeam(team: Team, { maxTurns, maxUsd }: Pick<RunFlags, 'maxTurns' | 'maxUsd'>): Team {
  return {
    ...team,
    limits: {
      ...team.limits,
      ...(maxTurns !== undefined && { agentTurns: maxTurns }),
      ...(maxUsd !== undefined && { usd: maxUsd }),
    },
  };
}

/** A limit on money that was asked for should hold for everybody; says for whom it cannot. */
export function warnOfUnpriced(
  { members, prices }: Team,
  { maxUsd }: Pick<RunFlags, 'maxUsd'>,
  context: CliContext,
): void {
  const unpriced = members.filter(
    (member) =>
      member.type === 'ai' &&
      findAgentType(member.agentType)?.reports === 'tokens' &&
      !prices.some(({ model }) => model === member.model),
  );
  if (maxUsd !== undefined && unpriced.length > 0)
    say(context, english.cli.warning(english.cli.unpriced(unpriced.map(({ name }) => name))));
}
