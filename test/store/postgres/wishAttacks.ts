import { type Attack, denied, refused } from './attacks.js';

/** Codes of our own functions. */
const [LOST, NO_PROCESS, NO_WISH] = ['HU002', 'HU007', 'HU009'];
const [CHECK, NO_CONVERSATION, NOT_A_KEY, NOT_A_TABLE] = ['23514', '23503', '22P02', '55000'];
const KEY = "'11111111-1111-1111-1111-111111111111'";
/** The wish of lea that waits in kim's conversation. */
const WISH = '(SELECT min(number) FROM huddle.wish)';

/** Attacks on those who follow a conversation, and on what they ask for. */
export const WISH_ATTACKS: readonly Attack[] = [
  ...denied({
    'write a wish of lea': ({ held, mallory }) =>
      `INSERT INTO huddle.wish (conversation, role, process, key, kind, body)
       VALUES (${held}, 'lea', '${mallory}', ${KEY}, 'say', '{"content":"I am lea"}')`,
    "change the words of lea's wish": () => 'UPDATE huddle.wish SET body = \'{"content":"Delete it"}\'',
    "settle lea's wish by hand": () => 'UPDATE huddle.wish SET is_settled = true',
    "delete lea's wish": () => 'DELETE FROM huddle.wish',
    "lock lea's wish, so that nobody can take it": () => 'SELECT FROM huddle.wish FOR KEY SHARE',
    "send lea away from kim's conversation by hand": () => 'DELETE FROM huddle.attendance',
    'be there as lea by hand': ({ held, lea }) => `INSERT INTO huddle.attendance VALUES (${held}, '${lea}')`,
    "take lea's wish": ({ held }) =>
      `SELECT huddle.take_wish(${held}, ${WISH}, 1, ARRAY['{"type":"message-added"}'])`,
    'call the helper that tells others': ({ held }) => `SELECT huddle.tell_company(${held}, 'wish')`,
  }),
  ...refused(NOT_A_TABLE, {
    'write a wish by way of the view': () =>
      "INSERT INTO huddle.open_wish (conversation, role, kind, body) VALUES (1, 'lea', 'say', '{}')",
  }),
  ...refused(NO_PROCESS, {
    "ask for something with lea's process": ({ held, lea }) =>
      `SELECT huddle.ask_wish(${held}, '${lea}', ${KEY}, ${KEY}, 'say', '{"content":"I am lea"}')`,
    'ask for something as no process': ({ held }) =>
      `SELECT huddle.ask_wish(${held}, NULL, ${KEY}, ${KEY}, 'say', '{"content":"Nobody"}')`,
    'come in again as lea, which takes back what she asked': ({ held, lea }) =>
      `SELECT huddle.attend(${held}, '${lea}', ${KEY})`,
    'send lea away': ({ held, lea }) => `SELECT huddle.stay_away(${held}, '${lea}')`,
    "refuse lea's wish with kim's process": ({ held, kim }) =>
      `SELECT huddle.settle_wish(${held}, '${kim}', ${WISH}, '{"code":"NO"}')`,
  }),
  ...refused(LOST, {
    "refuse lea's wish to kim": ({ held, mallory }) =>
      `SELECT huddle.settle_wish(${held}, '${mallory}', ${WISH}, '{"code":"NO"}')`,
  }),
  ...refused(NO_WISH, {
    "take lea's wish to kim into a conversation of one's own": ({ mallory }) => takeIntoOwn(mallory, WISH),
    'take a wish that nobody has': ({ mallory }) => takeIntoOwn(mallory, '999999'),
  }),
  ...refused(CHECK, {
    'ask for something of a kind that is a text': ({ held, mallory }) =>
      `SELECT huddle.ask_wish(${held}, '${mallory}', ${KEY}, ${KEY}, 'Say; DROP', '{}')`,
    'fill the store with one wish': ({ held, mallory }) =>
      `SELECT huddle.ask_wish(${held}, '${mallory}', ${KEY}, ${KEY}, 'say', repeat('x', 4194305))`,
    'fill the store with one refusal': ({ mallory }) =>
      `SELECT huddle.attend(c.number, '${mallory}', ${KEY}) FROM huddle.conversation c WHERE c.id = 'own';
       SELECT huddle.settle_wish(c.number, '${mallory}',
         huddle.ask_wish(c.number, '${mallory}', ${KEY}, ${KEY}, 'say', '{}'), repeat('x', 65537))
       FROM huddle.conversation c WHERE c.id = 'own'`,
  }),
  ...refused(NO_CONVERSATION, {
    'ask for something where nothing is': ({ mallory }) =>
      `SELECT huddle.ask_wish(999999, '${mallory}', ${KEY}, ${KEY}, 'pause', '{}')`,
    'follow what is not there': ({ mallory }) => `SELECT huddle.attend(999999, '${mallory}', ${KEY})`,
  }),
  ...refused(NOT_A_KEY, {
    'ask with a key that is a text': ({ held, mallory }) =>
      `SELECT huddle.ask_wish(${held}, '${mallory}', ${KEY}, 'x', 'pause', '{}')`,
  }),
  ...refused(null, {
    "settle lea's wish as one of a conversation of one's own": ({ mallory }) =>
      `SELECT huddle.settle_wish(c.number, '${mallory}', ${WISH}, '{"code":"NO"}')
       FROM huddle.conversation c WHERE c.id = 'own'`,
  }),
  ...denied(
    {
      'read wishes': () => 'SELECT * FROM huddle.wish',
      'read wishes by way of the view': () => 'SELECT * FROM huddle.open_wish',
      'ask for something': ({ held, kim }) =>
        `SELECT huddle.ask_wish(${held}, '${kim}', ${KEY}, ${KEY}, 'say', '{"content":"I am eve"}')`,
      'be there': ({ held, kim }) => `SELECT huddle.attend(${held}, '${kim}', ${KEY})`,
    },
    'eve',
  ),
];

/** Appends a message to the conversation that mallory holds, as if it followed from a wish. */
function takeIntoOwn(process: string, wish: string): string {
  return `SELECT huddle.append(c.number, '${process}', c.fence, 2, '{"type":"message-added"}', '{}', ${wish}, NULL, NULL)
    FROM huddle.conversation c WHERE c.id = 'own'`;
}
