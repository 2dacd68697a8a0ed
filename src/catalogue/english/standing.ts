/** Sentences about where a session stands. */
export const standingText = {
  interrupted: (turnId: string, name: string) =>
    `${name}'s ${turnId} was interrupted before any output arrived.`,
  unfinished: (turnId: string, name: string) => `${name}'s ${turnId} did not finish.`,
  queue: (names: readonly string[]) => `Queued: ${names.join(', ')}.`,
  awaited: (names: readonly string[]) => `Waiting for ${names.join(' and ')} to reply.`,
  nothing: 'Your turn.',
};
