import { formatSeconds } from '../../catalogue/formats.js';
import type { Catalogue } from '../../catalogue/words.js';
import type { ConversationEvent } from '../../models/ConversationEvent.js';
import { HuddleError } from '../../models/errors.js';
import { memberOf } from '../../presentation/Telling.js';
import { untilAborted } from '../../utils/untilAborted.js';
import type { Ask } from './Ask.js';
import { describeAsk } from './AskResult.js';
import type { HeldAsk, Question } from './Asks.js';
import { formatAskResult } from './formatAskResult.js';
import { chooseWait, type McpCall, type McpOptions, type Reply } from './McpOptions.js';
import type { Serving } from './Serving.js';
import type { Given } from './tools.js';

const REPORT_MILLISECONDS = 10_000;

/** The part of the arguments that is about waiting and the form of the answer. */
interface Waiting {
  readonly wait_seconds: number | undefined;
  readonly format: 'text' | 'json' | undefined;
}

/** Asks the team, and follows hand-offs until no one is next. */
export function askTeam(given: Given<'ask_team'>, serving: Serving, call: McpCall): Promise<Reply> {
  const { message, members = [], session, max_turns: maxTurns } = given;
  return ask({ message, members, session, maxTurns }, given, serving, call);
}

/** Asks one member for one turn. */
export function askMember(given: Given<'ask_member'>, serving: Serving, call: McpCall): Promise<Reply> {
  const { message, member, session } = given;
  return ask({ message, members: [member], session, isSingle: true }, given, serving, call);
}

/** Keeps waiting for a request of this server, or stops it. */
export async function waitForTeam(
  given: Given<'wait_for_team'>,
  serving: Serving,
  call: McpCall,
): Promise<Reply> {
  const { options } = serving;
  const asks = await serving.asks();
  const held = asks.find(given.session);
  if (held === undefined) {
    const conversations = await asks.conversations();
    const { refusal } = await conversations.teamOf(options.folder);
    if (refusal?.code === 'NESTED') throw refusal;
    const { summary, reader } = await conversations.read(given.session, options.folder);
    await reader.close();
    throw new HuddleError('NOT_RUNNING', options.words.mcp.notRunning(summary.id));
  }
  if (given.stop && !held.ask.isOver) {
    await held.ask.stop();
    await held.ended;
  }
  return answer(held, given, options, call);
}

async function ask(question: Question, waiting: Waiting, serving: Serving, call: McpCall): Promise<Reply> {
  const { options } = serving;
  const asks = await serving.asks();
  const held = await asks.begin(question, call);
  const reply = await answer(held, waiting, options, call);
  if (call.signal.aborted) options.log(options.words.mcp.stoppedByClient(held.ask.id));
  return reply;
}

async function answer(
  held: HeldAsk,
  { wait_seconds: asked, format = 'text' }: Waiting,
  { waitSeconds: configured, words }: McpOptions,
  call: McpCall,
): Promise<Reply> {
  await waitForAsk(held, chooseWait(call.client, { asked, configured }), words, call);
  return formatAskResult(
    describeAsk(held.ask, { client: call.client, now: Date.now(), words }),
    format,
    words,
  );
}

/**
 * Waits until an ask is over or the time is, and tells the client how it goes. A call that is cancelled stops the ask.
 *
 * @throws What kept the conversation from being saved (as a rejection).
 */
async function waitForAsk(
  { ask, ended }: HeldAsk,
  seconds: number,
  words: Catalogue,
  call: McpCall,
): Promise<void> {
  const { signal, report } = call;
  const stopReporting = report === undefined ? undefined : reportProgress(ask, words, report);
  const giveUp = new AbortController();
  const timer = setTimeout(() => giveUp.abort(), seconds * 1000);
  try {
    await untilAborted(ended, AbortSignal.any([signal, giveUp.signal]));
    if (signal.aborted && !ask.isOver) await ask.stop();
  } finally {
    clearTimeout(timer);
    stopReporting?.();
  }
}

/** Tells when turns start and end, and now and then who works since when. */
function reportProgress(ask: Ask, words: Catalogue, report: (message: string) => void): () => void {
  const { progress } = words.mcp;
  const unsubscribe = ask.subscribe((event: ConversationEvent) => {
    if (event.type !== 'turn-start' && event.type !== 'turn-end') return;
    const { name } = memberOf(ask.telling, event.memberId);
    report(event.type === 'turn-start' ? progress.started(name) : progress.ended[event.result.kind](name));
  });
  const timer = setInterval(() => {
    for (const { member, startedAt, ended } of ask.telling.turns)
      if (ended === undefined)
        report(progress.working(member.name, formatSeconds(Date.now() - startedAt, words)));
  }, REPORT_MILLISECONDS);
  return () => {
    clearInterval(timer);
    unsubscribe();
  };
}
