import { type DetectedAgent, detectAgents } from '../../agents/detectAgents.js';
import { english } from '../../catalogue/english.js';
import { initEnglish } from '../../catalogue/init.js';
import type { AgentType } from '../../models/AgentConfig.js';
import { sanitizeToOneLine } from '../../utils/sanitize.js';
import { type Surroundings, say } from '../Surroundings.js';

/** The types that are installed, those of which nobody is logged in last. Says what it found, or what to install. */
export async function lookForAgents(surroundings: Surroundings): Promise<readonly AgentType[]> {
  say(surroundings, initEnglish.looking);
  const agents = await detectAgents({
    environment: surroundings.env,
    workingFolder: surroundings.workingFolder,
  });
  for (const { passedOver } of agents)
    if (passedOver !== undefined) say(surroundings, sanitizeToOneLine(english.trust.passedOver(passedOver)));
  const installed = agents
    .filter(({ file }) => file !== undefined)
    .toSorted((one, other) => Number(isLoggedOut(one)) - Number(isLoggedOut(other)));
  if (installed.length > 0) sayFound(installed, surroundings);
  else sayWhatToInstall(agents, surroundings);
  return installed.map(({ type }) => type);
}

function isLoggedOut({ loggedIn }: DetectedAgent): boolean {
  return loggedIn === 'no';
}

function sayFound(installed: readonly DetectedAgent[], surroundings: Surroundings): void {
  const names = installed.map(({ label, version }) =>
    version === undefined ? label : `${label} ${version}`,
  );
  say(surroundings, sanitizeToOneLine(initEnglish.found(names)));
  for (const { label, login } of installed.filter(isLoggedOut))
    say(surroundings, english.cli.notLoggedIn(label, login));
}

function sayWhatToInstall(agents: readonly DetectedAgent[], surroundings: Surroundings): void {
  for (const line of initEnglish.nothingFound) say(surroundings, line);
  for (const { label, installHint } of agents) say(surroundings, initEnglish.install(label, installHint));
}
