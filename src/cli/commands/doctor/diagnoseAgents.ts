import type { DetectedAgent } from '../../../agents/detectAgents.js';
import { words } from '../../../catalogue/words.js';
import { describeWhatStarts } from '../../../config/describeWhatStarts.js';
import type { Team } from '../../../models/Team.js';
import { EXIT_CODES } from '../../start/exitCodes.js';
import { broken, type Diagnosis, type Finding, type RunVerdict, type TeamDiagnosis } from './Diagnosis.js';

/** The agents on this machine. */
export interface Agents {
  readonly agents: readonly DetectedAgent[];
  /** Many, and used only if a team file names them, so only the installed ones. */
  readonly acpAgents: readonly DetectedAgent[];
}

/**
 * Looks at the programs a team uses, and lists the others. Missing programs of a team are the team's findings. Of a team
 * file with problems it is unknown what it uses.
 */
export function diagnoseAgents({ agents, acpAgents }: Agents, { team, file }: TeamDiagnosis): Diagnosis {
  const facts = { agents, acpAgents };
  const all = [...agents, ...acpAgents];
  if (team === undefined && file !== undefined) return { findings: listUnused(all, []), facts };
  if (team !== undefined) {
    const used = all.filter((agent) => isIn(team, agent));
    const findings = [...used.flatMap((agent) => examineAgent(agent, broken)), ...listUnused(all, used)];
    return { findings, facts, verdict: judgeLogins(used) };
  }
  const installed = agents.filter(({ file, passedOver }) => (file ?? passedOver) !== undefined);
  if (installed.length === 0) return { ...lackAll(agents), facts };
  const isAnyUsable = installed.some(({ loggedIn }) => loggedIn !== 'no');
  const findings = [
    ...installed.flatMap((agent) => examineAgent(agent, isAnyUsable ? doubtful : broken)),
    ...listUnused(all, installed),
  ];
  return { findings, facts, verdict: isAnyUsable ? undefined : judgeLogins(installed) };
}

/** Whether a member of the team starts the program. */
function isIn(team: Team, { command: [program] }: DetectedAgent): boolean {
  return describeWhatStarts(team).some(({ command: [name] }) => name === program);
}

function lackAll(agents: readonly DetectedAgent[]): Pick<Diagnosis, 'findings' | 'verdict'> {
  const hints = agents.map(({ label, installHint }) => unused(words.doctor.missing(label, installHint)));
  const next = agents[0] === undefined ? ('rehearse' as const) : { run: agents[0].installHint };
  return {
    findings: [broken(words.doctor.noAgent), ...hints],
    verdict: { exitCode: EXIT_CODES.agentMissing, next },
  };
}

/** The first agent without a login, if there is one. */
function judgeLogins(agents: readonly DetectedAgent[]): RunVerdict | undefined {
  const agent = agents.find(({ loggedIn }) => loggedIn === 'no');
  if (agent === undefined) return undefined;
  const { login } = agent;
  return {
    exitCode: EXIT_CODES.notLoggedIn,
    next: login === undefined ? 'rehearse' : { logIn: login },
  };
}

type Complain = (text: string, advice?: string) => Finding;

/** Looks at the program itself, and at one of the same name that the project brings along. */
function examineAgent(agent: DetectedAgent, complain: Complain): readonly Finding[] {
  const { file, passedOver } = agent;
  const program = file === undefined ? [] : [examineProgram(agent, file, complain)];
  if (passedOver === undefined) return program;
  const notStarted: Finding = { state: 'doubtful', text: words.trust.passedOver(passedOver) };
  return file === undefined
    ? [{ ...notStarted, advice: words.doctor.lookAndTrust }]
    : [...program, notStarted];
}

function examineProgram(agent: DetectedAgent, file: string, complain: Complain): Finding {
  const { label, version, testedVersion, loggedIn, login, command } = agent;
  const text = words.doctor.found({ label, version, file, testedVersion, login: loggedIn });
  if (loggedIn === 'no') return complain(text, login && words.doctor.logIn(login));
  if (version === undefined) return doubtful(text, words.doctor.noVersion(command.join(' ')));
  if (agent.isOlderThanTested) return doubtful(text, words.doctor.older(label, testedVersion));
  return { state: 'works', text };
}

function listUnused(all: readonly DetectedAgent[], used: readonly DetectedAgent[]): readonly Finding[] {
  return all
    .filter((agent) => !used.includes(agent))
    .map(({ label, version, file, installHint }) =>
      unused(
        file === undefined
          ? words.doctor.missing(label, installHint)
          : words.doctor.available(label, version, file),
      ),
    );
}

function doubtful(text: string, advice?: string): Finding {
  return { state: 'doubtful', text, advice };
}

function unused(text: string): Finding {
  return { state: 'unused', text };
}
