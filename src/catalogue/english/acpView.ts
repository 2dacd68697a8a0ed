/** Words of a conversation as editors show it. */
export const acpViewText = {
  /** After an attempt of an agent that it gave up. */
  startsAgain: '(starts again)',
  allowOnce: 'Allow once',
  deny: 'Deny',
  /** Below a pause. */
  toContinue: 'Send /continue to continue, or a new message.',
  afterReader: 'Review the changes with /diff, then send /continue.',
};
