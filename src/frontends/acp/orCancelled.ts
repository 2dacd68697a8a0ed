import type { PromptResponse } from '@agentclientprotocol/sdk/unstable';

/** Time in which a cancelled prompt is answered, also when its agent takes longer to leave. */
const CANCEL_MILLISECONDS = 2_300;

/** The answer to a prompt. Once that is cancelled, it is `cancelled`, whatever else comes of it, and comes soon. */
export async function orCancelled(
  work: Promise<PromptResponse>,
  signal: AbortSignal,
): Promise<PromptResponse> {
  const answer: PromptResponse = { stopReason: 'cancelled' };
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<PromptResponse>((resolve) => {
    const wait = () => {
      timer = setTimeout(resolve, CANCEL_MILLISECONDS, answer);
    };
    signal.addEventListener('abort', wait, { once: true });
  });
  try {
    const answered = await Promise.race([work, late]);
    return signal.aborted ? { ...answered, ...answer } : answered;
  } catch (error) {
    if (signal.aborted) return answer;
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
