import { realpath } from 'node:fs/promises';
import { sep } from 'node:path';
import { findDefinition } from '../agents/definitions.js';
import { english } from '../catalogue/english.js';
import { describeWhatStarts, fingerprintWhatStarts, formatWhatStarts } from '../config/describeWhatStarts.js';
import type { LoadedTeam } from '../config/loadTeamFile.js';
import { quoteText } from '../config/quoteValue.js';
import { isTrusted, TrustError, trustFolder } from '../config/trust.js';
import { HuddleError } from '../models/errors.js';
import type { AgentMember, Team } from '../models/Team.js';
import { sanitizeForTerminal } from '../utils/sanitize.js';
import { askForYes, canAsk } from './askForYes.js';
import { type Surroundings, say } from './Surroundings.js';

/** Passes when a person vouches for what the team file starts: earlier, by `--trust`, or when asked now. */
export async function requireTrust(
  loaded: LoadedTeam,
  vouched: boolean,
  surroundings: Surroundings,
): Promise<void> {
  const { folder, team } = loaded;
  const programs = describeWhatStarts(team);
  if (await isTrusted(folder, fingerprintWhatStarts(programs), surroundings)) return;
  if (vouched) return say(surroundings, english.cli.trustedOnce(sanitizeForTerminal(folder)));
  if (!canAsk(surroundings)) throw new TrustError(folder, programs);
  say(surroundings, describeTrustQuestion(loaded));
  if (!(await askForYes(english.trust.ask, surroundings)))
    throw new HuddleError('FOLDER_NOT_TRUSTED', english.trust.refused);
  await recordTrust(loaded, surroundings);
}

/** Everything a person has to know before saying yes. */
export function describeTrustQuestion({ folder, team }: LoadedTeam): string {
  return [
    english.trust.question(sanitizeForTerminal(folder)),
    formatWhatStarts(describeWhatStarts(team)),
    ...describeVariables(team),
  ].join('\n');
}

export async function recordTrust({ folder, team }: LoadedTeam, surroundings: Surroundings): Promise<void> {
  const fingerprint = fingerprintWhatStarts(describeWhatStarts(team));
  const files = await findFilesOutside(folder, team);
  await trustFolder({ folder, fingerprint, files, date: new Date() }, surroundings);
  say(surroundings, english.trust.done(sanitizeForTerminal(folder)));
}

async function findFilesOutside(folder: string, team: Team): Promise<readonly string[]> {
  const inside = `${await realpath(folder)}${sep}`;
  return agentsOf(team).flatMap(({ instructionFile }) =>
    instructionFile === undefined || instructionFile.startsWith(inside) ? [] : [instructionFile],
  );
}

function describeVariables(team: Team): string[] {
  return agentsOf(team).flatMap(({ name, agentType }) => {
    const names = findDefinition(agentType)?.dialect?.credentialVariables ?? [];
    return names.length === 0 ? [] : [english.trust.variables(quoteText(name), names)];
  });
}

function agentsOf({ members }: Team): readonly AgentMember[] {
  return members.filter((member): member is AgentMember => member.type === 'ai');
}
