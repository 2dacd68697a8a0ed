/** Errors about the files of a machine that others rely on. */
export const workerErrorText = {
  FILE_OPEN_TO_OTHERS: ({ file, folder, mode, isOfOther, forbidden }: OpenFileFacts) => {
    if (folder !== undefined)
      return isOfOther
        ? `The folder ${folder} belongs to another user, who could replace ${file}. Move the file into a folder of your own.`
        : `Other users may write into ${folder} (mode ${mode}), so they could replace ${file}. Check what is in it, then run: chmod go-w ${folder}`;
    if (isOfOther) return `${file} belongs to another user. Use a file of your own.`;
    return forbidden === 'read'
      ? `Other users may read ${file} (mode ${mode}). Run: chmod 600 ${file}. If someone may have read it, replace it: huddle key --new`
      : `Other users may change ${file} (mode ${mode}). Check what is in it, then run: chmod go-w ${file}`;
  },
  KEY_UNREADABLE: ({ file }: { file: string }) =>
    `${file} holds no private key. Restore it, or make a new one: huddle key --new`,
  NEEDS_SHARED_STORE: ({ members }: { members: readonly string[] }) =>
    `${members.join(', ')} ${members.length === 1 ? 'runs' : 'run'} on another machine ("runsOn"), which needs a shared store. Pass --store NAME, or remove "runsOn".`,
};

type OpenFileFacts = {
  readonly file: string;
  /** The folder that is open or not ours, and not the file itself. */
  readonly folder?: string;
  readonly mode: string;
  readonly isOfOther: boolean;
  readonly forbidden: 'read' | 'write';
};
