/** Sentences about the people and machines that share a conversation. */
export const companyText = {
  heldBy: (holder: string) => `held by ${holder}`,
  here: (roles: readonly string[]) => `${roles.join(', ')} ${roles.length === 1 ? 'is' : 'are'} here`,
  holderGone: (role: string) => `${role}'s machine is gone. Type a message to continue here.`,
  holderLeft: (role: string) => `${role} has left. Type a message to continue here.`,
  cutOff: (names: readonly string[]) =>
    names.length === 1
      ? `${names[0]}'s turn was interrupted`
      : `turns of ${names.join(', ')} were interrupted`,
  heldHere: 'held here',
  heldByNoOne: 'held by no one',
  noHolder: 'No one has this conversation open. Type a message to continue here.',
  follows: (holder: string) =>
    `${holder} has this conversation open: you follow it, and what you type is sent there.`,
  readsOnly: (role: string) =>
    `No person in this team has the role "${role}", so you can read but not speak.`,
  silent: (time: string) => `the store does not answer (${time})`,
  stopped: 'The store does not answer. Running turns were stopped; Huddle keeps trying.',
  tries: 'The store does not answer. Huddle keeps trying.',
  /** In the status line. */
  sending: (text: string) => `not saved yet: ${text}`,
  notSaved: (text: string) => `Not saved yet: ${text}`,
  back: 'The store answers again.',
  lost: (holder: string) => `${holder} has taken over. You follow the conversation now.`,
};

/** Sentences of notices about the roles of a shared store. */
export const companyNoticeText = {
  'wish-refused': ({ role, because }: RefusedWish) => {
    if (because === 'stranger')
      return `Refused: no person in this team has the role "${role}". It can read the conversation, not take part.`;
    return because === 'empty'
      ? `Refused: an empty message from ${role}.`
      : `Refused: a request from ${role} that this version of Huddle can't read.`;
  },
  'unproven-speaker': ({ recordedBy }: { readonly recordedBy: string }, claimed: string) =>
    `${recordedBy} recorded a message as ${claimed}'s, but ${claimed} did not send it. It is not shown.`,
  'left-out': ({ recordedBy, because }: { readonly recordedBy: string; readonly because: LeftOutReason }) => {
    const effect = 'It counts for nothing, and no agent reads it.';
    if (because === 'stranger')
      return `Left out what ${recordedBy} recorded here: no person of this conversation has that role. ${effect}`;
    return because === 'unproven'
      ? `Left out what ${recordedBy} recorded here for others, who did not say it. ${effect}`
      : `Left out what ${recordedBy} recorded here: this version of Huddle can't read it. ${effect}`;
  },
};

type LeftOutReason = 'stranger' | 'unproven' | 'unreadable';

export interface RefusedWish {
  readonly role: string;
  readonly because: 'stranger' | 'empty' | 'unreadable';
}

/** Sentences of errors in conversations that several machines share. */
export const companyErrorText = {
  ROLE_NOT_IN_TEAM: ({ role }: { role: string }) =>
    `No person in this team has the role "${role}", so it can read but not speak. Add one to the team file: { "name": "${role}", "type": "human" }`,
  SPEAKS_AS_ITSELF: ({ role }: { role: string }) =>
    `On a shared store everyone speaks as themselves. You are ${role}.`,
  FILES_ELSEWHERE: ({ holder }: { holder: string | null }) =>
    `The files of this conversation are ${holder === null ? 'where its members ran' : `on ${holder}`}. Undo or apply changes there.`,
  HOLDER_GONE: ({ holder, id }: { holder: string | null; id: string }) =>
    `${holder === null ? 'No one has this conversation open' : `${holder} is gone`}, so nothing runs. Send a message to continue here (in scripts: huddle resume ${id} "message").`,
  WISH_TOO_LARGE: ({ bytes, maxBytes }: { bytes: number; maxBytes: number }) =>
    `This has ${bytes} bytes. Use at most ${maxBytes}.`,
  WISH_NOT_TAKEN: (_: object) => 'The conversation changed hands before this was done. Try again.',
};
