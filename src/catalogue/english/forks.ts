/** Sentences about forks of sessions. */
export const forksText = {
  forked: (id: string) => `Forked: ${id}`,
  copied: (from: string, messageId: string | undefined) =>
    messageId === undefined
      ? `Copied the team of ${from}, without messages.`
      : `Copied ${from} up to ${messageId}.`,
  /** A blind round is never cut apart. */
  moved: (asked: string) =>
    `${asked} is in the middle of a blind round, so the cut is where the whole round is included or left out.`,
  dropped: (names: readonly string[]) =>
    `Dropped from the queue: ${names.join(', ')}. To keep it: --keep-queue`,
  droppedInChat: (names: readonly string[]) => `Dropped from the queue: ${names.join(', ')}.`,
  toUndo: (commands: readonly string[]) =>
    `Files stay as they are. To undo what was changed since: ${commands.join(', then ')}`,
  toSwitch: (id: string) => `To switch to it: /resume ${id}`,
  exists: (reason: string) => `${reason} Choose another one with --id.`,
  empty: (id: string) => `Session ${id} has no messages to fork at.`,
  nothingSaid: 'No messages yet.',
  whichMessage: 'Name the message to go back to:',
  rewindWith: (command: string) => `For instance: ${command}.`,
};
