import { type DetectedAgent, detectAcpAgents, detectAgents } from '../../../agents/detectAgents.js';
import { words } from '../../../catalogue/words.js';
import { OFFERED_AGENT_TYPES } from '../../../models/agentTypeNames.js';
import { sanitizeToOneLine } from '../../../utils/sanitize.js';
import { type CliContext, say } from '../../start/CliContext.js';
import { byLogin } from '../../team/findTeam.js';

/**
 * Finds the agent types that are installed, those without a login last. ACP agents count only if there is nothing else,
 * since not all of them are held to a permission. Says what it found, or what to install.
 */
export async function lookForAgents(context: CliContext): Promise<readonly string[]> {
  say(context, words.init.looking);
  const { env: environment, workingFolder } = context;
  const options = { environment, workingFolder };
  const [agents, acpAgents] = await Promise.all([detectAgents(options), detectAcpAgents(options)]);
  for (const { passedOver } of agents)
    if (passedOver !== undefined) say(context, sanitizeToOneLine(words.trust.passedOver(passedOver)));
  const own = agents.filter(({ file }) => file !== undefined).toSorted(byLogin);
  const offered = acpAgents.filter(({ agentType }) => OFFERED_AGENT_TYPES.includes(agentType));
  const installed = own.length > 0 ? own : offered;
  if (installed.length > 0) sayFound(installed, context);
  else sayWhatToInstall(agents, context);
  return installed.map(({ agentType }) => agentType);
}

function sayFound(installed: readonly DetectedAgent[], context: CliContext): void {
  const names = installed.map(({ label, version }) =>
    version === undefined ? label : `${label} ${version}`,
  );
  say(context, sanitizeToOneLine(words.init.found(names)));
  for (const { label, loggedIn, login } of installed)
    if (loggedIn === 'no') say(context, words.cli.notLoggedIn(label, login));
}

function sayWhatToInstall(agents: readonly DetectedAgent[], context: CliContext): void {
  for (const line of words.init.nothingFound) say(context, line);
  for (const { label, installHint } of agents) say(context, words.init.install(label, installHint));
}
