import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeSystemError } from '../../catalogue/errors.js';
import { findPreset, PRESET_NAMES } from '../../catalogue/presets.js';
import { words } from '../../catalogue/words.js';
import type { Conversation } from '../../coordinator/Conversation.js';
import { HuddleError } from '../../models/errors.js';
import type { Team } from '../../models/Team.js';
import { sanitizeToOneLine } from '../../utils/sanitize.js';
import type { CliContext } from '../start/CliContext.js';

/** The script of simulated agents: the preset's for a team with its roles, and for any other team a word on what was asked. */
export function chooseReplies(team: Team): object {
  return findPresetReplies(team) ?? writePlainReplies(team);
}

/** The script for a team with the roles of a preset; checks, which a preset gets from the project, do not count. */
export function findPresetReplies({ members }: Team): object | undefined {
  const agents = namesOf(members.filter((member) => member.type === 'ai' && !member.check));
  const preset = PRESET_NAMES.find((name) => namesOf(findPreset(name).roles) === agents);
  return preset && words.rehearsal.replies[preset];
}

/** A script in which every agent says what it was asked. */
function writePlainReplies({ members }: Team): object {
  return Object.fromEntries(members.map(({ name }) => [name, [{ text: words.rehearsal.plainReply(name) }]]));
}

function namesOf(roles: readonly { readonly name: string }[]): string {
  return roles
    .map(({ name }) => name)
    .sort()
    .join();
}

/** About 30 words a second: faster than a model, slow enough to watch. */
export const PACE_MILLISECONDS = 30;

/** Keeps the script of the simulated agents of a demo, which they read in every turn: the answers are about what a person said. */
export function keepDemoScript(conversation: Conversation, scriptFile: string): void {
  const { demoOpening, demoScript } = words.rehearsal;
  const write = (script: object) => writeFileSync(scriptFile, JSON.stringify(script));
  write(demoScript);
  conversation.subscribe((event) => {
    if (event.type === 'message-added' && event.message.speaker.type === 'human')
      write(event.message.content === demoOpening ? demoScript : writePlainReplies(conversation.team));
  });
}

/** Works with a folder in which simulated agents keep their sessions as long as a rehearsal lasts. */
export async function withStateFolder<Value>(work: (folder: string) => Promise<Value>): Promise<Value> {
  const folder = await createStateFolder();
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Creates such a folder; whoever asks for it removes it. */
export function createStateFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'huddle-rehearsal-')).catch((cause) => {
    const sentence = () => words.rehearsal.noStateFolder(tmpdir(), describeSystemError(cause));
    throw new HuddleError('CANNOT_WRITE', sentence, { cause });
  });
}

/** Characters that mean something in the quotes of an alias. */
const UNQUOTABLE = /["'$`\\]/u;

/** Commands to try after a demo. In a clone `huddle` is not a command yet: the line that makes it one comes first. */
export function nextSteps({ env }: CliContext): string {
  const { HUDDLE_CLONE: clone = '' } = env;
  const [title = '', ...steps] = words.rehearsal.next;
  const alias = clone === '' || UNQUOTABLE.test(clone) ? [] : [`  ${aliasOf(sanitizeToOneLine(clone))}`];
  return ['', title, ...alias, ...steps].join('\n');
}

function aliasOf(program: string): string {
  return `alias huddle="node ${/\s/u.test(program) ? `'${program}'` : program}"`;
}
