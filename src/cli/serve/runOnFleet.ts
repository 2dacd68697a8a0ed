import { words } from '../../catalogue/words.js';
import { loadMachineKey, resolveKeyFile } from '../../config/machineKey.js';
import { outcomeOf } from '../../conversation/questions.js';
import { askFleet, followFleet } from '../../machines/fleets.js';
import { isSubject } from '../../machines/holdFleet.js';
import { HuddleError } from '../../models/errors.js';
import type { ConversationId } from '../../models/ids.js';
import { NEW_TELLING } from '../../presentation/Telling.js';
import { tell } from '../../presentation/tell.js';
import { isShared, type SharedStore } from '../../store/postgres/SharedStore.js';
import type { SigningKey } from '../../utils/ed25519.js';
import { createPrinter } from '../sessions/createPrinter.js';
import { openStore } from '../sessions/storedSessions.js';
import { type CliContext, exitCodeAfter, print, say, stopOf } from '../start/CliContext.js';
import { createLogger } from '../start/createLogger.js';
import { EXIT_CODE_OF_OUTCOME, EXIT_CODES } from '../start/exitCodes.js';
import type { RunFlags } from '../start/RunFlags.js';
import { readMessage, requireNoSlip } from '../start/readMessage.js';
import { UsageError } from '../start/reportError.js';
import { stopOnSignals } from '../start/stopOnSignals.js';
import { chooseStore, huddleHere } from '../team/chooseStore.js';

/** So long nobody is told that no worker has begun. */
const QUIET_MILLISECONDS = 5000;

/** Options of `run` that are about a worker elsewhere. */
export interface FleetFlags {
  /** Role of the workers of which one holds the conversation. */
  readonly on?: string;
  readonly subject?: string;
  readonly detach?: boolean;
}

interface FleetOptions extends RunFlags, FleetFlags {
  readonly on: string;
}

/** Asks a worker elsewhere to hold a conversation, and follows it to its end; detached, it prints the id and leaves. */
export async function runOnFleet(options: FleetOptions, context: CliContext): Promise<number> {
  const { on, team, subject, detach = false, debugFile } = options;
  if (team === undefined) throw new UsageError(words.fleet.needsTeam);
  if (subject !== undefined && !isSubject(subject)) throw new UsageError(words.fleet.badSubject(subject));
  if ((await chooseStore(context)) === undefined) throw new UsageError(words.fleet.needsStore);
  const message = await readMessage(options, context);
  // Only the worker knows the members.
  requireNoSlip(options);
  const key = await loadKey(context);
  const logger = createLogger({ debugFile }, context);
  const store = await openStore(context, logger);
  try {
    if (!isShared(store)) throw new UsageError(words.fleet.needsStore);
    const id = await askFleet({ store, key, on, team, subject, message });
    if (!detach) return await follow(id, store, options, context);
    print(context, id);
    return EXIT_CODES.done;
  } finally {
    await store.close();
    logger.close();
  }
}

function loadKey({ configFile }: CliContext): Promise<SigningKey> {
  if (configFile === undefined) throw new HuddleError('CONFIG_INVALID', words.stores.noConfigFolder);
  return loadMachineKey(resolveKeyFile(configFile));
}

async function follow(
  id: ConversationId,
  store: SharedStore,
  { on, outputFormat, final }: FleetOptions,
  context: CliContext,
): Promise<number> {
  const printer = createPrinter({ outputFormat, final, isSaved: true }, context);
  const releaseSignals = stopOnSignals(context);
  const { signal: stop } = context.stop;
  let telling = NEW_TELLING;
  let isBegun = false;
  // Before that the request is taken back, which is told when it is done.
  const onStop = (): void => (isBegun ? say(context, words.fleet.stopping) : undefined);
  stop.addEventListener('abort', onStop, { once: true });
  try {
    for await (const event of followFleet(store, id, { stop, onWait: sayOnce(context, on) })) {
      const step = tell(telling, event);
      telling = step.telling;
      isBegun = true;
      printer.take(event, step);
    }
    if (isBegun) printer.end(telling);
    else say(context, words.fleet.withdrawn);
    return exitCodeAfter(context, EXIT_CODE_OF_OUTCOME[outcomeOf(telling.conversation)]);
  } finally {
    stop.removeEventListener('abort', onStop);
    releaseSignals();
    if (isBegun && stopOf(context)?.isOutputGone !== true)
      say(context, words.fleet.saved(id, huddleHere(context)));
  }
}

/** Tells once, after a while, that nobody has begun. */
function sayOnce(context: CliContext, on: string): () => void {
  const since = performance.now();
  let isSaid = false;
  return () => {
    if (isSaid || performance.now() - since < QUIET_MILLISECONDS) return;
    isSaid = true;
    say(context, words.fleet.waiting(on));
  };
}
