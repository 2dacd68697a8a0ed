import { type Attack, denied, refused } from './attacks.js';

/** Codes of our own functions. */
const [LOST, NO_PROCESS, OTHER_END, NO_TURN, TOO_LARGE] = ['HU002', 'HU007', 'HU008', 'HU010', 'HU011'];
const [CHECK, IN_TRANSACTION] = ['23514', '25001'];
/** Turns of kim's conversation for workers of lea: one that waits, and one that lea's process runs. */
const ASKED = "(SELECT number FROM huddle.turn WHERE id = 'turn-1')";
const RUNNING = "(SELECT number FROM huddle.turn WHERE id = 'turn-2')";
const END = `'{"type":"end","outcome":{"kind":"completed","text":"Ha."}}'`;

/** Attacks on the turns of other people and on the workers that run them. */
export const TURN_ATTACKS: readonly Attack[] = [
  ...denied({
    'ask a worker by hand': ({ held }) =>
      `INSERT INTO huddle.turn (conversation, id, member, worker_role, asked_by, request, is_watched)
       VALUES (${held}, 'turn-9', 'sarah', 'lea', 'kim', '{}', true)`,
    'change a request': () => "UPDATE huddle.turn SET request = '{}'",
    'say that kim asked': () => "UPDATE huddle.turn SET asked_by = 'kim'",
    'have a turn run again': () => "UPDATE huddle.turn SET state = 'asked', process = NULL",
    'give a turn to workers of another role': () => "UPDATE huddle.turn SET worker_role = 'mallory'",
    'delete a turn': () => 'DELETE FROM huddle.turn',
    'lock a turn, so that nobody can claim it': () => 'SELECT FROM huddle.turn FOR KEY SHARE',
    'report by hand': () => `INSERT INTO huddle.turn_event SELECT ${RUNNING}, 1, ${END}`,
    'change a report': () => `UPDATE huddle.turn_event SET body = ${END}`,
    'raise the limit of an account': () => 'UPDATE huddle.account_limit SET at_once = 1000',
    'lower the limit of an account': () => 'DELETE FROM huddle.account_limit',
    'lock a place of an account': () => 'SELECT FROM huddle.place_lock FOR KEY SHARE',
    'be a worker': () => "INSERT INTO huddle.worker VALUES ('eve')",
    'give up a turn by hand': () => "UPDATE huddle.turn_holding SET given_up = 'lost', given_up_after = 0",
    'call the helper that gives up a turn': ({ held }) =>
      `SELECT huddle.give_up_turn(${held}, ${RUNNING}, 'withdrawn')`,
    'lock what the holder has to say of a turn': () => 'SELECT FROM huddle.turn_holding FOR KEY SHARE',
    'take the reports of a turn': ({ held }) => `SELECT huddle.take_reports(${held}, 'turn-2', 1)`,
    'call the helper that finds a place': ({ mallory }) =>
      `SELECT huddle.find_place('acme', '${mallory}', 1)`,
    'call the helper that knows who holds': ({ kim }) => `SELECT huddle.require_holder('held', '${kim}')`,
  }),
  ...refused(NO_PROCESS, {
    "ask a worker with kim's process": ({ kim }) =>
      `SELECT huddle.ask_turn('held', '${kim}', 'turn-9', 'sarah', 'lea', '{}', true, true)`,
    "claim a turn with lea's process": ({ lea }) => `SELECT huddle.claim_turn('${lea}', '{}', '[]')`,
    "claim a conversation of a fleet with lea's process": ({ lea }) =>
      `SELECT huddle.claim_fleet('${lea}', '{}')`,
    "report with lea's process": ({ lea }) =>
      `SELECT huddle.report_turn(${RUNNING}, '${lea}', 1, ARRAY[${END}], true)`,
    "withdraw a turn with kim's process": ({ kim }) =>
      `SELECT huddle.withdraw_turn('held', '${kim}', ${RUNNING})`,
    "say with kim's process that a worker is gone": ({ kim }) =>
      `SELECT huddle.lose_turn('held', '${kim}', ${RUNNING})`,
  }),
  ...refused(LOST, {
    "ask a worker in kim's conversation": ({ mallory }) =>
      `SELECT huddle.ask_turn('held', '${mallory}', 'turn-9', 'sarah', 'lea', '{}', true, true)`,
    'withdraw a turn of kim': ({ mallory }) =>
      `SELECT huddle.withdraw_turn('held', '${mallory}', ${RUNNING})`,
    'say that the worker of kim is gone': ({ mallory }) =>
      `SELECT huddle.lose_turn('held', '${mallory}', ${RUNNING})`,
  }),
  ...refused(NO_TURN, {
    'report a turn that lea runs': ({ mallory }) =>
      `SELECT huddle.report_turn(${RUNNING}, '${mallory}', 1, ARRAY[${END}], true)`,
    'report a turn that nobody runs': ({ mallory }) =>
      `SELECT huddle.report_turn(${ASKED}, '${mallory}', 1, ARRAY[${END}], true)`,
    "take a turn of kim's into a conversation of one's own": ({ mallory }) =>
      `SELECT huddle.append(c.number, '${mallory}', c.fence, c.last_seq + 1, '{}', '{}', NULL, 'turn-2', 1)
       FROM huddle.conversation c WHERE c.id = 'own'`,
  }),
  ...refused(CHECK, {
    'fill the store with one request': ({ mallory }) =>
      `SELECT huddle.ask_turn('own', '${mallory}', 'turn-9', 'sarah', 'lea', repeat('x', 4194305), true, true)`,
  }),
  ...refused(TOO_LARGE, {
    'fill the store with one report': ({ mallory }) =>
      ownTurn(mallory, `1, ARRAY[repeat('x', 4194305)], false`),
  }),
  ...refused(IN_TRANSACTION, {
    'claim in a transaction that has other locks': ({ mallory }) =>
      `SELECT huddle.renew('${mallory}', 15000); SELECT huddle.claim_turn('${mallory}', '{}', '[]')`,
  }),
  ...refused(OTHER_END, {
    'leave out a report': ({ mallory }) => ownTurn(mallory, `7, ARRAY[${END}], false`),
  }),
  {
    what: 'claim a turn that is for others: it gets none',
    by: 'mallory',
    sql: ({ mallory }) => `SELECT huddle.claim_turn('${mallory}', '{}', '[{"member":"sarah"}]')`,
    refusal: null,
  },
  {
    what: "withdraw kim's turn by way of a conversation of one's own: nothing happens",
    by: 'mallory',
    sql: ({ mallory }) => `SELECT huddle.withdraw_turn('own', '${mallory}', ${RUNNING})`,
    refusal: null,
  },
];

/** Reports the turn that mallory asked of itself and claimed. */
function ownTurn(mallory: string, report: string): string {
  return `SELECT huddle.report_turn(number, '${mallory}', ${report}) FROM huddle.turn WHERE id = 'own-turn'`;
}
