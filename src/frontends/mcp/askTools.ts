import { words } from '../../catalogue/words.js';
import { HuddleError } from '../../models/errors.js';
import type { HeldAsk, Question } from './asking/Asks.js';
import { waitForAsk } from './asking/waitForAsk.js';
import { chooseWait } from './asking/waits.js';
import type { McpCall, Reply } from './McpCall.js';
import type { Given } from './parameters.js';
import { describeAsk } from './reply/AskResult.js';
import { formatAskResult } from './reply/formatAskResult.js';
import type { Serving } from './Serving.js';
import type { TOOL_PARAMETERS } from './toolParameters.js';

/** The part of the arguments that is about waiting and the form of the answer. */
interface Waiting {
  readonly wait_seconds: number | undefined;
  readonly format: 'text' | 'json' | undefined;
}

/** Asks the team, and follows hand-offs until no one is next. */
export function askTeam(
  given: Given<typeof TOOL_PARAMETERS.ask_team>,
  serving: Serving,
  call: McpCall,
): Promise<Reply> {
  const { message, members = [], session, max_turns: maxTurns } = given;
  return ask({ message, members, session, maxTurns }, given, serving, call);
}

/** Asks one member for one turn. */
export function askMember(
  given: Given<typeof TOOL_PARAMETERS.ask_member>,
  serving: Serving,
  call: McpCall,
): Promise<Reply> {
  const { message, member, session } = given;
  return ask({ message, members: [member], session, isSingle: true }, given, serving, call);
}

/** Waits on for an ask of this server, or stops it. */
export async function waitForTeam(
  given: Given<typeof TOOL_PARAMETERS.wait_for_team>,
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
    throw new HuddleError('NOT_RUNNING', words.mcp.notRunning(summary.id));
  }
  if (given.stop && !held.ask.isOver) {
    await held.ask.stop();
    await held.ended;
  }
  return answer(held, given, options.waitSeconds, call);
}

async function ask(question: Question, waiting: Waiting, serving: Serving, call: McpCall): Promise<Reply> {
  const { options } = serving;
  const asks = await serving.asks();
  const held = await asks.begin(question, call);
  const reply = await answer(held, waiting, options.waitSeconds, call);
  if (call.signal.aborted) options.log(words.mcp.stoppedByClient(held.ask.id));
  return reply;
}

async function answer(
  held: HeldAsk,
  { wait_seconds: asked, format = 'text' }: Waiting,
  configured: number | undefined,
  call: McpCall,
): Promise<Reply> {
  await waitForAsk(held, chooseWait(call.client, { asked, configured }), call);
  return formatAskResult(describeAsk(held.ask, call.client, Date.now()), format);
}
