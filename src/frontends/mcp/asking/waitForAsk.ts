import { formatSeconds } from '../../../catalogue/formats.js';
import { words } from '../../../catalogue/words.js';
import type { ConversationEvent } from '../../../models/ConversationEvent.js';
import { memberOf } from '../../../presentation/Telling.js';
import { untilAborted } from '../../../utils/untilAborted.js';
import type { McpCall } from '../McpCall.js';
import type { Ask } from './Ask.js';
import type { HeldAsk } from './Asks.js';

const REPORT_MILLISECONDS = 10_000;

/**
 * Waits until an ask is over or the time is, and tells the client how it goes. A call that is cancelled stops the ask.
 *
 * @throws What kept the conversation from being saved (as a rejection).
 */
export async function waitForAsk({ ask, ended }: HeldAsk, seconds: number, call: McpCall): Promise<void> {
  const { signal, report } = call;
  const stopReporting = report === undefined ? undefined : reportProgress(ask, report);
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
function reportProgress(ask: Ask, report: (message: string) => void): () => void {
  const { progress } = words.mcp;
  const unsubscribe = ask.subscribe((event: ConversationEvent) => {
    if (event.type !== 'turn-start' && event.type !== 'turn-end') return;
    const { name } = memberOf(ask.telling, event.memberId);
    report(event.type === 'turn-start' ? progress.started(name) : progress.ended[event.result.kind](name));
  });
  const timer = setInterval(() => {
    for (const { member, startedAt, ended } of ask.telling.turns)
      if (ended === undefined) report(progress.working(member.name, formatSeconds(Date.now() - startedAt)));
  }, REPORT_MILLISECONDS);
  return () => {
    clearInterval(timer);
    unsubscribe();
  };
}
