import { english } from '../../catalogue/english.js';
import { chooseTeam } from '../chooseTeam.js';
import { awaitMessage } from '../readMessage.js';
import { UsageError } from '../reportError.js';
import type { Surroundings } from '../Surroundings.js';
import { runMessage } from './run.js';
import { canTalk, type TalkOptions, talk } from './talk.js';

export interface StartFlags extends Pick<TalkOptions, 'plain'> {
  readonly nested?: boolean;
}

/** `huddle` alone: in a terminal people talk, elsewhere what is piped in is the message of a run. */
export async function start(surroundings: Surroundings, options: StartFlags = {}): Promise<number> {
  const { plain, nested } = options;
  if (canTalk(surroundings))
    return talk(await chooseTeam({ isRehearsal: false, nested }, surroundings), surroundings, { plain });
  const message = await awaitMessage(surroundings);
  if (message === undefined) throw new UsageError(english.cli.nothingToDo);
  return runMessage(message, { outputFormat: 'text', nested }, surroundings);
}
