/** Sentences about where a session stands. */
export const standingText = {
  interrupted: (turnId: string, name: string) =>
    `${turnId} of ${name} was running when this was written; nothing of it came in.`,
  unfinished: (turnId: string, name: string) => `${turnId} of ${name} did not complete.`,
  queue: (names: readonly string[]) => `Waiting to speak: ${names.join(', ')}.`,
  awaited: (names: readonly string[]) => `The agents wait for ${names.join(' and ')}.`,
  nothing: 'Nothing is left to run; it is your turn.',
};
