import { type DetectedAgent, detectAgents } from '../../agents/detectAgents.js';
import { words } from '../../catalogue/words.js';
import type { AgentType } from '../../models/AgentConfig.js';
import { sanitizeToOneLine } from '../../utils/sanitize.js';
import { type CliContext, say } from '../CliContext.js';
import { byLogin } from '../chooseTeam.js';

/** Finds the types that are installed, those without a login last. Says what it found, or what to install. */
export async function lookForAgents(context: CliContext): Promise<readonly AgentType[]> {
  say(context, words.init.looking);
  const { env: environment, workingFolder } = context;
  const agents = await detectAgents({ environment, workingFolder });
  for (const { passedOver } of agents)
    if (passedOver !== undefined) say(context, sanitizeToOneLine(words.trust.passedOver(passedOver)));
  const installed = agents.filter(({ file }) => file !== undefined).toSorted(byLogin);
  if (installed.length > 0) sayFound(installed, context);
  else sayWhatToInstall(agents, context);
  return installed.map(({ type }) => type);
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
