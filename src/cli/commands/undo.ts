import { describeError } from '../../catalogue/errors.js';
import { words } from '../../catalogue/words.js';
import type { FileAction } from '../../files/actions/describeFileAction.js';
import { performFileAction } from '../../files/actions/performFileAction.js';
import { formatFileDone } from '../../frontends/lines/sentences.js';
import { HuddleError } from '../../models/errors.js';
import { formatFilePlan } from '../../presentation/formatFilePlan.js';
import type { ConversationReader } from '../../store/Store.js';
import { ConversationLockedError } from '../../store/storeErrors.js';
import { pathsInSession, type TypedChoice } from '../files/sessionFiles.js';
import { openStoredFiles } from '../files/storedFiles.js';
import { type OpenedSession, withLog, withSession } from '../sessions/storedSessions.js';
import { askForYes, canAsk } from '../start/askForYes.js';
import { type CliContext, print, printJson, say } from '../start/CliContext.js';
import { EXIT_CODES } from '../start/exitCodes.js';
import { UsageError } from '../start/reportError.js';

export interface UndoOptions extends TypedChoice {
  readonly session?: string;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
}

const PREFIX = 'huddle ';
/** Files that are named before a question; a dry run names all. */
const MOST_NAMED = 40;

/** Puts back what turns changed, after showing it and asking. */
export function undo(options: UndoOptions, context: CliContext): Promise<number> {
  return perform('undo', options, context);
}

/** Brings over what a turn changed in its copy, after showing it and asking. */
export function apply(
  { turn, ...options }: Omit<UndoOptions, 'what'> & { readonly turn: string },
  context: CliContext,
): Promise<number> {
  return perform('apply', { ...options, what: turn }, context);
}

async function perform(
  action: FileAction['action'],
  options: UndoOptions,
  context: CliContext,
): Promise<number> {
  const { session, dryRun = false } = options;
  const work = (opened: OpenedSession) => performOn(opened, action, options, context);
  if (dryRun) return withSession(session, context, work);
  try {
    return await withLog(session, context, work);
  } catch (error) {
    if (!(error instanceof ConversationLockedError)) throw error;
    const command = [`/${action}`, options.what ?? ''].join(' ').trim();
    const message = words.files.openElsewhere(describeError(error), command);
    throw new HuddleError(error.code, message, { cause: error });
  }
}

async function performOn(
  opened: OpenedSession<ConversationReader>,
  action: FileAction['action'],
  options: UndoOptions,
  context: CliContext,
): Promise<number> {
  const { dryRun = false, json = false } = options;
  const { keeper, folder, memberId, exitCode, close } = await openStoredFiles(opened, context);
  const showDone = (done: FileAction): number => {
    if (json) printJson(context, done);
    else print(context, formatFileDone(done, PREFIX, words));
    return exitCode() ?? (done.left === undefined ? EXIT_CODES.done : EXIT_CODES.failed);
  };
  try {
    const paths = pathsInSession(options.paths, folder, context);
    const request = { action, what: options.what, paths, memberId };
    const plan = await performFileAction(keeper, { ...request, dryRun: true, finishes: !dryRun });
    // It was cut off before, and is finished now: the person has said yes to it then.
    if (plan.id !== undefined) return showDone(plan);
    if (dryRun && json) printJson(context, plan);
    if (!json) showPlan(plan, dryRun, context);
    if (dryRun) return EXIT_CODES.done;
    if (!(await isWanted(plan, options, context))) return EXIT_CODES.failed;
    // What was shown, and no turn that could have become the newest since.
    return showDone(await performFileAction(keeper, { ...request, what: options.what ?? plan.of[0] }));
  } finally {
    await close();
  }
}

function showPlan(plan: FileAction, dryRun: boolean, context: CliContext): void {
  const mostFiles = dryRun ? plan.files.length : MOST_NAMED;
  for (const line of formatFilePlan(
    plan,
    mostFiles,
    `${PREFIX}${plan.action} ${plan.of[0]} --dry-run`,
    words,
  ))
    print(context, line);
  if (dryRun) say(context, words.files.dryRun);
}

/** Asks, unless told not to. */
async function isWanted(
  { action, what }: FileAction,
  { yes = false }: UndoOptions,
  context: CliContext,
): Promise<boolean> {
  const { ask, declined, unasked } = words.files;
  if (yes) return true;
  if (!canAsk(context)) throw new UsageError(unasked[action](what));
  if (await askForYes(`${ask[action]} `, context)) return true;
  say(context, declined[action]);
  return false;
}
