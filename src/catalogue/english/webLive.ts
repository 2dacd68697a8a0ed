/** Sentences of the part of `huddle web` that holds conversations. */
export const webLiveText = {
  reload: 'The page is too far behind this session. Reload it.',
  tooManyStreams: (most: number) => `Too many pages are open: at most ${most}. Close some of them.`,
  otherFolder: (id: string) => `Session ${id} is of another folder. It can only be read here.`,
  toContinueThere: (sentence: string, command: string) => `${sentence} To continue it: ${command}`,
  applyWhat: 'Name the turn to apply, such as turn-6.',
  noDemo: 'The demo is not available here.',
};
