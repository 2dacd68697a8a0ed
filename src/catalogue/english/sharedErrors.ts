/** Faults of the URL of a shared store. */
export type StoreUrlFault =
  | 'no-url'
  | 'password'
  | { readonly setting: string }
  | { readonly twice: string }
  | { readonly port: string }
  | { readonly unsafeHost: string }
  | { readonly file: string }
  | { readonly unusable: 'sslcert' | 'sslrootcert'; readonly reason: string }
  | 'no-key';

/** Reasons not to talk to the server that answers. */
export type StoreDistrust = 'no-tls' | 'unknown-authority' | 'other-host' | 'expired' | 'invalid';

/** Resources that a server which answers has not enough of. */
export type StoreLack = 'disk' | 'memory' | 'connections' | 'resources';

export interface StoreOutOfReachFacts {
  readonly store: string;
  /** The words of the system or the server; of a certificate for another host, the names that are in it. */
  readonly detail: string;
  readonly distrust?: StoreDistrust;
  /** The role whose open transaction has locked what is needed; empty: it is not known. */
  readonly heldUpBy?: string;
  readonly lack?: StoreLack;
}

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
  STORE_OUT_OF_REACH: ({ store, detail, distrust, lack, heldUpBy }: StoreOutOfReachFacts) => {
    if (heldUpBy !== undefined)
      return `${heldUpBy === '' ? 'Another session of the database' : heldUpBy} has locked what this needs in the shared store ${store}, in a transaction that is still open. Nothing was changed. Try again; if it stays locked, ask ${heldUpBy === '' ? 'the owner of the database' : `${heldUpBy} or the owner of the database`} to end that transaction.`;
    if (distrust !== undefined)
      return `The server of the shared store ${store} cannot be trusted: ${wordDistrust(distrust, detail)}`;
    if (lack !== undefined) return wordLack(lack, store);
    return `The shared store ${store} is out of reach: ${detail}. What was sent last may not be saved. Check your network and the database, then try again.`;
  },
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
  NOT_IN_CONVERSATION: ({ id, role }: { id: string; role: string }) =>
    `No person of conversation ${id} has the role "${role}": it began without you, so you can read it, but not hold it. To continue in a copy of your own: huddle fork ${id}`,
};

function wordLack(lack: StoreLack, store: string): string {
  const unsaved = 'What was sent last may not be saved.';
  const sentences: Readonly<Record<StoreLack, string>> = {
    disk: `The disk of the shared store ${store} is full. ${unsaved} Ask its owner to free space, then try again.`,
    memory: `The server of the shared store ${store} is out of memory. ${unsaved} Try again later, or ask its owner.`,
    connections: `The server of the shared store ${store} has no free connection. ${unsaved} Try again later, or ask its owner to raise max_connections.`,
    resources: `The server of the shared store ${store} has reached one of its limits. ${unsaved} Try again later, or ask its owner.`,
  };
  return sentences[lack];
}

function wordDistrust(distrust: StoreDistrust, detail: string): string {
  const sentences: Readonly<Record<StoreDistrust, string>> = {
    'no-tls': 'it offers no TLS. Nothing was sent. Ask the owner of the server to turn TLS on.',
    'unknown-authority': `no authority you trust has signed its certificate (${detail}). Nothing was sent. Put sslrootcert=FILE into the address, with the file of the authority that has.`,
    'other-host': `its certificate is for ${detail}. Nothing was sent. Put a name that is in the certificate into the address.`,
    expired:
      'its certificate has expired. Nothing was sent. Ask the owner of the server to renew it, and check the clock of this machine.',
    invalid: `its certificate is not valid (${detail}). Nothing was sent. Ask the owner of the server, and check the clock of this machine.`,
  };
  return sentences[distrust];
}

function wordUrlFault(fault: StoreUrlFault): string {
  if (fault === 'no-url')
    return 'it is not a postgres:// URL, for example postgres://kim@db.example.org/huddle.';
  if (fault === 'password')
    return 'it contains a password. Remove it; put the password into ~/.pgpass or PGPASSWORD, or use a client certificate.';
  if (fault === 'no-key') return 'it names a client certificate without its key. Add sslkey=FILE.';
  if ('unusable' in fault)
    return fault.unusable === 'sslcert'
      ? `the client certificate and its key cannot be used (${fault.reason}). Check the files of sslcert and sslkey.`
      : `the file of sslrootcert holds no certificate (${fault.reason}).`;
  if ('setting' in fault)
    return `unknown setting "${fault.setting}". Known: host, port, sslmode, sslrootcert, sslcert, sslkey.`;
  if ('port' in fault) return `"${fault.port}" is not a port. Use a number from 1 to 65535.`;
  if ('twice' in fault) return `"${fault.twice}" appears twice.`;
  if ('file' in fault) return `the certificate file ${fault.file} cannot be read.`;
  return `the connection to ${fault.unsafeHost} would not be protected. Add ?sslmode=verify-full, or use a Unix socket or this machine.`;
}
