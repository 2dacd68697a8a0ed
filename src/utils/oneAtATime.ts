/**
 * The same work, done once at a time: whoever asks for it while it is done waits until it was done again, so that what changed
 * meanwhile is noticed. Never rejects: what fails reaches `onError`.
 */
export function oneAtATime(
  work: () => Promise<void>,
  onError: (error: unknown) => void,
): () => Promise<void> {
  let doing: Promise<void> | null = null;
  let isAskedAgain = false;
  const doUntilDone = async (): Promise<void> => {
    do {
      isAskedAgain = false;
      await work().catch(onError);
    } while (isAskedAgain);
    doing = null;
  };
  return () => {
    if (doing === null) doing = doUntilDone();
    else isAskedAgain = true;
    return doing;
  };
}
