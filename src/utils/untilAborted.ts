/** Waits for a value until the signal comes: `undefined` then. What the work makes of itself after that goes unheard. */
export async function untilAborted<Value>(
  work: Promise<Value>,
  signal: AbortSignal,
): Promise<Value | undefined> {
  if (signal.aborted) return undefined;
  let giveUp: (() => void) | undefined;
  const aborted = new Promise<undefined>((resolve) => {
    giveUp = () => resolve(undefined);
    signal.addEventListener('abort', giveUp, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    if (giveUp) signal.removeEventListener('abort', giveUp);
  }
}
