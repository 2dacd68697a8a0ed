import { counted } from '../counted.js';

/** Sentences about shared stores and the key of this machine. */
export const storesText = {
  unknown: (name: string, near: string | undefined) =>
    `No shared store "${name}" on this machine, so nothing was sent.${near === undefined ? '' : ` Did you mean ${near}?`} To add it: huddle store add ${name} URL`,
  /** By what a store was named. */
  inTeamFile: (name: string, file: string) => `"store": "${name}" in ${file}`,
  unknownNamed: (source: string, message: string) => `${source}: ${message}`,
  local: 'the sessions on this machine',
  inUse: (name: string) => `Shared store: ${name}`,
  noAs: '--as is not for shared stores: there you speak as the role you log in with.',
  otherStore: (name: string, file: string) =>
    `${file === '' ? 'This folder' : file} keeps its conversations in the store "${name}", and this server in another one. Nothing was saved. Start the server with --store ${name}.`,
  badName: (name: string) =>
    `"${name}" cannot name a store: 1 to 32 letters, digits, ".", "-" or "_", and not "local", which means the sessions on this machine.`,
  unsafeFile: (file: string) =>
    `${file} can be changed by other users, who could send your conversations elsewhere. Nothing was read. Make it yours alone: chmod 600 ${file}`,
  invalidFile: (file: string, reason: string) =>
    `${file} is not valid: ${reason}. Fix it, or delete it and add your stores again: huddle store add NAME URL`,
  fileShape: 'it must be {"version": 1, "stores": {"NAME": "URL", …}}',
  noConfigFolder:
    'There is no home folder to save the names of stores in. Set XDG_CONFIG_HOME to a folder of yours.',
  exists: (name: string, url: string) =>
    `"${name}" already names ${url}. Nothing was changed. Choose another name, or replace it: add --force`,
  added: (name: string, url: string) => `Added ${name}: ${url}`,
  nextCheck: (name: string) => `Check it: huddle store check ${name}`,
  created: (name: string) => `Created the shared store ${name}.`,
  isThere: (name: string) => `${name} is a shared store already; nothing in it was changed.`,
  cannotCreate: (reason: string) =>
    `The database refuses to create a store: ${reason}. Nothing was created. Use the login that owns the database, or have it run: GRANT CREATE ON DATABASE`,
  notOwner: (role: string, owner: string) =>
    `You are ${role} there, and only the owner can do that. Nothing was changed. Ask ${owner}.`,
  badRole: (role: string) =>
    `"${role}" cannot be invited: a role has 1 to 63 bytes and is not "public", "none" or "pg_…".`,
  cannotInvite: (role: string, reason: string) =>
    `The database refuses to invite ${role}: ${reason}. Nothing was changed. If it may not create roles, have an administrator run CREATE ROLE ${role} LOGIN, then try again.`,
  unknownRole: (role: string, near: string | undefined, members: readonly string[]) =>
    `${role} has no rights here. ${near === undefined ? `Invited: ${members.join(', ') || 'no one'}.` : `Did you mean ${near}?`} Nothing was changed.`,
  ownerStays: (role: string) => `${role} owns the store and cannot be removed. Nothing was changed.`,
  cannotUpgrade: (reason: string) =>
    `The database refuses to upgrade the store: ${reason}. Nothing was changed. Only its owner can.`,
  nextInvite: (name: string) => `Invite others: huddle store invite ${name} ROLE (add --worker for a worker)`,
  nextUse: (name: string) =>
    `Use it: huddle --store ${name}, HUDDLE_STORE=${name}, or "store": "${name}" in the team file`,
  invited: (role: string, name: string) => `${role} can use ${name} now.`,
  invitedWorker: (role: string, name: string) => `${role} can use ${name} and run turns for it now.`,
  nextAdd: (name: string, url: string) => `There: huddle store add ${name} "${url}"`,
  noPassword: (role: string) =>
    `The role has no password. How ${role} logs in is up to the server: a certificate, or a password set with \\password ${role} in psql.`,
  removed: (role: string, name: string) =>
    `${role} can no longer use ${name}. What ${role} wrote stays. To remove the login itself: DROP ROLE in psql`,
  upgraded: (name: string, from: number, to: number) => `Upgraded ${name} from version ${from} to ${to}.`,
  upToDate: (name: string, version: number) =>
    `${name} has version ${version}, the latest this Huddle knows.`,
  none: 'No shared stores. Sessions are saved on this machine. Add one: huddle store add NAME URL',
  heads: { name: 'name', url: 'address', chosen: '' },
  chosenHere: 'in use here',
  checkWhich: 'No shared store is in use here. Name the one to check; huddle store list shows them.',
  needsUrl: 'Name the database with --url postgres://ROLE@HOST/DATABASE?sslmode=verify-full.',
  /** Sentences of `huddle store check`. */
  check: {
    labels: {
      address: 'address',
      connection: 'connection',
      role: 'you are',
      server: 'server',
      tables: 'tables',
      members: 'invited',
      here: 'here now',
      offered: 'offered',
    },
    connection: {
      tls: (store: string) => `TLS, certificate verified (${store})`,
      socket: (store: string) => `Unix socket (${store})`,
      loopback: (store: string) => `this machine, without TLS (${store})`,
    },
    asOwner: (role: string) => `${role}, the owner: you can invite, remove and upgrade`,
    asMember: (role: string, owner: string) => `${role} (the owner is ${owner})`,
    tables: (version: number) => `version ${version}`,
    invited: 'no one yet',
    nobody: 'no one',
    processes: (place: string, count: number) =>
      count === 1 ? place : `${place} (${counted(count, 'process', 'processes')})`,
    nothing: 'nothing; workers offer members: huddle worker',
    offers: (role: string, members: readonly string[], teams: readonly string[]) => {
      const ofTeams = teams.length === 0 ? [] : [`teams ${teams.join(', ')}`];
      return `${role}: ${[...members, ...ofTeams].join(', ')}`;
    },
    ok: (name: string) => `${name} works.`,
  },
  /** Sentences of `huddle key`. */
  key: {
    replaced: 'Workers know only the old key, and accept it until you replace it in their files.',
    howTo: (file: string) =>
      `Put it under "askers" in the files of the workers you ask. The private half stays in ${file}.`,
  },
};
