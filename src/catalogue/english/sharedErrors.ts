/** Faults of the URL of a shared store. */
export type StoreUrlFault =
  | 'no-url'
  | 'password'
  | { readonly setting: string }
  | { readonly twice: string }
  | { readonly unsafeHost: string }
  | { readonly file: string };

export interface StoreRefusedFacts {
  readonly store: string;
  readonly role: string;
  /** The words of the server. */
  readonly detail: string;
  /** The login itself was refused, not what it wanted to do. */
  readonly isLogin: boolean;
}

/** The sentences of errors about stores that many machines share. */
export const sharedErrorText = {
  STORE_OUT_OF_REACH: ({ store, detail }: { store: string; detail: string }) =>
    `The shared store ${store} is out of reach: ${detail}. What was sent last may not be saved. Check your network and the database, then try again.`,
  STORE_REFUSED: ({ store, role, detail, isLogin }: StoreRefusedFacts) =>
    isLogin
      ? `The database ${store} refuses the login ${role}: ${detail}. Put its password into ~/.pgpass or PGPASSWORD, or use a client certificate.`
      : `The shared store ${store} refuses ${role}: ${detail}. Ask its owner to run: huddle store invite`,
  STORE_NOT_SET_UP: ({ store, isOlder }: { store: string; isOlder: boolean }) =>
    isOlder
      ? `The shared store ${store} is from an older Huddle. Ask its owner to run: huddle store upgrade`
      : `The database ${store} has no shared store. Its owner can create one: huddle store init`,
  STORE_URL: ({ fault }: { fault: StoreUrlFault }) =>
    `Cannot use this URL of a shared store: ${wordUrlFault(fault)}`,
  NOT_YOURS: ({ id, creator }: { id: string; creator: string }) =>
    `Conversation ${id} was created by ${creator}. Only ${creator} or the owner of the store can do this.`,
};

function wordUrlFault(fault: StoreUrlFault): string {
  if (fault === 'no-url')
    return 'it is not a postgres:// URL, for example postgres://kim@db.example.org/huddle.';
  if (fault === 'password')
    return 'it contains a password. Remove it; put the password into ~/.pgpass or PGPASSWORD, or use a client certificate.';
  if ('setting' in fault)
    return `unknown setting "${fault.setting}". Known: host, sslmode, sslrootcert, sslcert, sslkey.`;
  if ('twice' in fault) return `"${fault.twice}" appears twice.`;
  if ('file' in fault) return `the certificate file ${fault.file} cannot be read.`;
  return `the connection to ${fault.unsafeHost} would not be protected. Add ?sslmode=verify-full, or use a Unix socket or this machine.`;
}
