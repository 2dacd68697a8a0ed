/** Sentences about where a session stands. */
export const standingText = {
  interrupted: (turnId: string, name: string) =>
    `${name}'s ${turnId} was interrupted before any output arrived.`,
  unfinished: (turnId: string, name: string) => `${name}'s ${turnId} did not finish.`,
  queue: (names: readonly string[]) => `Queued: ${names.join(', ')}.`,
  awaited: (names: readonly string[]) => `Waiting for ${names.join(' and ')} to reply.`,
  pauses: {
    asked: 'Paused by you.',
    reopened: 'Paused: turns were queued when the session was last closed.',
    cancelled: 'Paused: the turn was stopped.',
  },
  nothing: 'Your turn.',
};
