/** Facts of a store under attack that a statement may name. */
export interface Scene {
  /** Number and fence of a conversation that kim's living process holds, with two events. */
  readonly held: number;
  readonly fence: number;
  /** The row of kim's process, and of mallory's own. */
  readonly kim: string;
  readonly mallory: string;
  /** The row of lea's process, which follows kim's conversation and has a wish there. */
  readonly lea: string;
}

/** What somebody tries with plain SQL, and the code with which the server refuses it. */
export interface Attack {
  readonly what: string;
  /** `mallory` is a member of the store, `eve` has only a login. */
  readonly by: 'mallory' | 'eve';
  readonly sql: (scene: Scene) => string;
  /** SQLSTATE; null when nothing is said and nothing happens. */
  readonly refusal: string | null;
}

const DENIED = '42501';
/** Codes of our own functions. */
const [UNKNOWN, LOST, LOCKED, NOT_YOURS, NO_PROCESS, OTHER_END] = [
  'HU001',
  'HU002',
  'HU003',
  'HU005',
  'HU007',
  'HU008',
];
const CHECK = '23514';

const BODY = `'{"type":"message-added"}'`;

/** Attacks on the processes, conversations and events of a store. */
export const STORE_ATTACKS: readonly Attack[] = [
  ...denied({
    'insert an event': () => `INSERT INTO huddle.event VALUES (1, 3, ${BODY}, 'kim')`,
    'insert an event into a partition': () => `INSERT INTO huddle.event_0 VALUES (1, 3, ${BODY}, 'kim')`,
    'change an event': () => `UPDATE huddle.event SET body = ${BODY}`,
    'delete an event': () => 'DELETE FROM huddle.event',
    'empty the events': () => 'TRUNCATE huddle.event',
    'raise a fence': () => 'UPDATE huddle.conversation SET fence = fence + 1',
    'become the holder': ({ mallory }) => `UPDATE huddle.conversation SET holder = '${mallory}'`,
    'rewrite a tally': () => "UPDATE huddle.conversation SET tally = '{}'",
    'delete a conversation': () => 'DELETE FROM huddle.conversation',
    'be a process of kim': () =>
      "INSERT INTO huddle.process (role, host, pid, version, expires) VALUES ('kim', 'h', 1, 'v', now())",
    'make kim expire': () => 'UPDATE huddle.process SET expires = now()',
    'delete a process': () => 'DELETE FROM huddle.process',
    'say that the store is newer': () => 'UPDATE huddle.store SET version = 99',
    'write a checkpoint of kim': () => "INSERT INTO huddle.checkpoint VALUES (1, 'kim', 1, '{}')",
    'write a visit of kim': () => "INSERT INTO huddle.visit VALUES (1, 'kim', '', 1)",
    'count openings up': () => "SELECT setval('huddle.opening', 1)",
    'lock the conversations': () => 'BEGIN; LOCK TABLE huddle.conversation IN ACCESS EXCLUSIVE MODE',
    'lock a row': () => 'SELECT FROM huddle.conversation FOR UPDATE',
    'lock the row that those lock who look after the store': () => 'SELECT FROM huddle.store FOR SHARE',
    'call a helper that knows whether events are there': ({ held, kim, fence }) =>
      `SELECT huddle.require_kept(${held}, '${kim}', ${fence}, 3, ARRAY[${BODY}])`,
    'call a helper that locks a conversation': () => "SELECT huddle.lock_conversation('held')",
    'call a helper that makes a table': () => 'SELECT huddle.make_partition(99000000, true)',
    'call a helper that notes a visit': ({ held }) => `SELECT huddle.note_visit(${held}, '')`,
    'call a helper that takes a wish': ({ held }) => `SELECT huddle.take_wish(${held}, 1, 1, ARRAY[${BODY}])`,
    'replace a function': () =>
      "CREATE OR REPLACE FUNCTION huddle.require_process(process uuid) RETURNS void LANGUAGE sql AS 'SELECT'",
    'add a function with the same name': () =>
      "CREATE FUNCTION huddle.require_process(process text) RETURNS void LANGUAGE sql AS 'SELECT'",
    'drop a function': () => 'DROP FUNCTION huddle.require_process',
    'own a function': () => 'ALTER FUNCTION huddle.require_process OWNER TO mallory',
    'let a function look elsewhere': () => 'ALTER FUNCTION huddle.arrive SET search_path = pg_temp',
    'make a table': () => 'CREATE TABLE huddle.mine (a integer)',
    'put a trigger on events': () =>
      `CREATE TRIGGER mine BEFORE INSERT ON huddle.event_0 FOR EACH ROW
       EXECUTE FUNCTION suppress_redundant_updates_trigger()`,
    'put a rule on events': () => 'CREATE RULE mine AS ON INSERT TO huddle.event DO INSTEAD NOTHING',
    'drop the store': () => 'DROP SCHEMA huddle CASCADE',
    'become kim': () => 'SET ROLE kim',
    'have been kim all along': () => 'SET SESSION AUTHORIZATION kim',
    'become the owner': () => 'SET ROLE postgres',
    "end kim's connections": () =>
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'postgres' AND datname = current_database()",
    'run a program on the server': () => "COPY huddle.event TO PROGRAM 'id'",
    'write a file on the server': () => "COPY huddle.event TO '/tmp/huddle-attack'",
    'read a file on the server': () => "SELECT pg_read_file('PG_VERSION')",
    'import a file on the server': () => "SELECT lo_import('/etc/passwd')",
    'load a library into the server': () => "LOAD '/tmp/huddle-attack.so'",
  }),
  ...refused(NO_PROCESS, {
    "append with kim's process and fence": ({ held, kim, fence }) => append(held, kim, fence, 3),
    "hold with kim's process": ({ kim }) =>
      `SELECT huddle.hold_conversation('free', '${kim}', false, false, NULL)`,
    "create with kim's process": ({ kim }) =>
      `SELECT huddle.create_conversation('new', '${kim}', '{}', NULL)`,
    "give up what kim's process holds": ({ held, kim, fence }) =>
      `SELECT huddle.release_conversation(${held}, '${kim}', ${fence})`,
    "save a checkpoint with kim's process": ({ held, kim, fence }) =>
      `SELECT huddle.save_checkpoint(${held}, '${kim}', ${fence}, 2, '{}')`,
    "restore events with kim's process": ({ held, kim, fence }) =>
      `SELECT huddle.restore_events(${held}, '${kim}', ${fence}, 3, ${BODY}, '{}')`,
    "end kim's process": ({ kim }) => `SELECT huddle.leave('${kim}')`,
    "renew kim's process for no time": ({ kim }) => `SELECT huddle.renew('${kim}', 0)`,
    "offer something in kim's name": ({ kim }) => `SELECT huddle.offer('${kim}', '{}')`,
    'append as a process that nobody is': ({ held, fence }) =>
      append(held, '00000000-0000-0000-0000-000000000000', fence, 3),
    'append as no process': ({ held, fence }) =>
      `SELECT huddle.append(${held}, NULL, ${fence}, 3, ${BODY}, '{}', NULL, NULL, NULL)`,
  }),
  ...refused(LOST, {
    "append with kim's fence and a process of one's own": ({ held, mallory, fence }) =>
      append(held, mallory, fence, 3),
    'append with a fence of tomorrow': ({ held, mallory, fence }) => append(held, mallory, fence + 1, 3),
    "send kim's batch again, in one's own name": ({ held, mallory, fence }) =>
      append(held, mallory, fence, 2),
    "save a checkpoint of kim's conversation": ({ held, mallory, fence }) =>
      `SELECT huddle.save_checkpoint(${held}, '${mallory}', ${fence}, 2, '{}')`,
    "restore events into kim's conversation": ({ held, mallory, fence }) =>
      `SELECT huddle.restore_events(${held}, '${mallory}', ${fence}, 3, ${BODY}, '{}')`,
    'shadow tables and functions': ({ held, mallory, fence }) =>
      `SET search_path = pg_temp, public;
       CREATE TEMPORARY TABLE conversation AS SELECT ${held} AS number, ${fence} AS fence, '${mallory}'::uuid AS holder;
       CREATE TEMPORARY TABLE process AS SELECT '${mallory}'::uuid AS id, 'kim'::text AS role;
       CREATE FUNCTION pg_temp.require_fence(bigint, uuid, bigint) RETURNS integer LANGUAGE sql AS 'SELECT 2';
       CREATE FUNCTION pg_temp.cardinality(text[]) RETURNS integer LANGUAGE sql AS 'SELECT 0';
       ${append(held, mallory, fence, 3)}`,
  }),
  ...refused(LOCKED, {
    'open what somebody living holds': ({ mallory }) =>
      `SELECT huddle.hold_conversation('held', '${mallory}', false, false, NULL)`,
    'take over what somebody living holds': ({ mallory }) =>
      `SELECT huddle.hold_conversation('held', '${mallory}', true, false, NULL)`,
    'delete what somebody living holds': () => "SELECT huddle.delete_conversation('held')",
  }),
  ...refused(NOT_YOURS, {
    'delete what somebody else made': () => "SELECT huddle.delete_conversation('free')",
    'restore into a conversation of somebody else': ({ mallory }) =>
      `SELECT huddle.hold_conversation('free', '${mallory}', false, false, NULL);
       SELECT huddle.restore_events(c.number, '${mallory}', c.fence, 1, ${BODY}, '{}')
       FROM huddle.conversation c WHERE c.id = 'free'`,
  }),
  ...refused(OTHER_END, {
    'append nothing as an event': ({ mallory }) => appendToOwn(mallory, 2, 'NULL'),
    'write over the beginning of a log': ({ mallory }) => appendToOwn(mallory, 1),
    'leave a gap in a log': ({ mallory }) => appendToOwn(mallory, 7),
    'pass off as imported what comes after what was said': ({ mallory }) =>
      `SELECT huddle.restore_events(c.number, '${mallory}', c.fence, 2, ${BODY}, '{}')
       FROM huddle.conversation c WHERE c.id = 'own'`,
  }),
  ...refused(CHECK, {
    'make an id that is a path': ({ mallory }) =>
      `SELECT huddle.create_conversation('../../x', '${mallory}', '{}', NULL)`,
    'name a folder in place of its hash': ({ mallory }) =>
      `SELECT huddle.create_conversation('new', '${mallory}', '{}', '/home/kim')`,
    'fill the store with one event': ({ mallory }) => appendToOwn(mallory, 2, "repeat('x', 67108865)"),
    'fill the store with one tally': ({ mallory }) =>
      `SELECT huddle.create_conversation('new', '${mallory}', repeat('x', 4194305), NULL)`,
    'fill the store with one offer': ({ mallory }) =>
      `SELECT huddle.offer('${mallory}', to_json(repeat('x', 65537))::text)`,
    'move the cursor of those who see where it is': () => "SELECT huddle.arrive(E'\\u001b[2J', 1, 'v', 1)",
    'fill the store with one host': () => "SELECT huddle.arrive(repeat('x', 256), 1, 'v', 1)",
  }),
  ...refused(UNKNOWN, {
    'visit what is not there': () => "SELECT huddle.visit_conversation('nowhere', NULL)",
  }),
  ...refused(null, {
    'allow oneself more': () => 'GRANT INSERT ON huddle.event TO mallory',
    'invite somebody': () => 'GRANT USAGE ON SCHEMA huddle TO eve',
    "give up kim's fence with a process of one's own": ({ held, mallory, fence }) =>
      `SELECT huddle.release_conversation(${held}, '${mallory}', ${fence})`,
  }),
  ...denied(
    {
      'read events': () => 'SELECT * FROM huddle.event',
      'read who is there': () => 'SELECT * FROM huddle.process',
      arrive: () => "SELECT huddle.arrive('h', 1, 'v', 1)",
      "append with kim's process": ({ held, kim, fence }) => append(held, kim, fence, 3),
      'open a conversation': ({ kim }) =>
        `SELECT huddle.hold_conversation('free', '${kim}', false, false, NULL)`,
      'delete a conversation': () => "SELECT huddle.delete_conversation('free')",
      'make a table': () => 'CREATE TABLE huddle.mine (a integer)',
      'invite oneself': () => 'GRANT USAGE ON SCHEMA huddle TO eve',
    },
    'eve',
  ),
];

type Statements = Readonly<Record<string, Attack['sql']>>;

export function denied(statements: Statements, by?: Attack['by']): Attack[] {
  return refused(DENIED, statements, by);
}

export function refused(
  refusal: string | null,
  statements: Statements,
  by: Attack['by'] = 'mallory',
): Attack[] {
  return Object.entries(statements).map(([what, sql]) => ({ what, by, sql, refusal }));
}

function append(conversation: number, process: string, fence: number, seq: number): string {
  return `SELECT huddle.append(${conversation}, '${process}', ${fence}, ${seq}, ${BODY}, '{}', NULL, NULL, NULL)`;
}

/** Appends to the conversation that mallory holds, which has one event. */
function appendToOwn(process: string, seq: number, body: string = "'{}'"): string {
  return `SELECT huddle.append(c.number, '${process}', c.fence, ${seq}, ${body}, '{}', NULL, NULL, NULL)
    FROM huddle.conversation c WHERE c.id = 'own'`;
}
