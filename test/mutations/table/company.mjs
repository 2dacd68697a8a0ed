const PROOF_TEST = 'test/machines/speakerProof.test.ts';
const AWAY_TEST = 'test/machines/storeAway.test.ts';
const HANDS_TEST = 'test/machines/changingHands.test.ts';

/** Who speaks, who follows, and who continues when a machine is gone. */
export const company = [
  {
    name: 'whoever holds a conversation speaks as anybody',
    file: 'src/store/postgres/proveSpeakers.ts',
    find: 'if (wish === undefined || wish.role !== by) return false;',
    replace: 'if (wish === undefined) return true;',
    test: PROOF_TEST,
    title: 'without a wish it is not',
  },
  {
    name: 'a holder changes the words of a follower',
    file: 'src/store/postgres/proveSpeakers.ts',
    find: "return wish.sha256 === createHash('sha256').update(formatSaid(message.content, message.via)).digest('hex');",
    replace: "return wish.sha256 !== createHash('sha256').update(formatSaid('')).digest('hex');",
    test: PROOF_TEST,
    title: 'with other words than those of her wish it is not',
  },
  {
    name: 'a wish is taken twice',
    file: 'src/store/postgres/migrations/0001.sql',
    find: 'AND w.conversation = take_wish.conversation AND NOT w.is_settled;',
    replace: 'AND w.conversation = take_wish.conversation;',
    test: PROOF_TEST,
    title: 'a wish is taken once',
  },
  {
    name: 'a wish that was taken back is done when it arrives late',
    file: 'src/store/postgres/migrations/0001.sql',
    find: ' AND a.sitting = w.sitting',
    replace: '',
    test: AWAY_TEST,
    title: 'never says what was taken back by saying something else',
  },
  {
    name: 'what is sent again before its fate is known is said twice',
    file: 'src/machines/WishDesk.ts',
    find: 'const known = this.#unsure.find((one) => one.text === text);',
    replace: 'const known = this.#unsure.find((one) => one.text !== text);',
    test: AWAY_TEST,
    title: 'counts what was said although no answer came, once',
  },
  {
    name: 'a wish of one role is taken with what listeners record meanwhile',
    file: 'src/coordinator/Ledger.ts',
    find: 'const mandate = this.#mandate;\n    this.#mandate = null;',
    replace: 'const mandate = this.#mandate;',
    test: 'test/coordinator/mandate.test.ts',
    title: 'takes the wish once',
  },
  {
    name: 'strangers speak through the holder',
    file: 'src/machines/speakers.ts',
    find: "member.type === 'human' && (member.role ?? member.id) === role,",
    replace: "member.type === 'human' && role !== '',",
    test: 'test/machines/following.test.ts',
    title: 'a role without a person in the team reads and does not speak',
  },
  {
    name: 'who only watches starts programs',
    file: 'src/machines/Seat.ts',
    find: 'if (this.#desk.hasOpen && !this.company.isHeldElsewhere) await this.#takeOver();',
    replace: 'if (!this.company.isHeldElsewhere) await this.#takeOver();',
    test: HANDS_TEST,
    title: 'when the holder closes it, whoever speaks next holds it',
  },
  {
    name: 'what was recorded while a process changed its place is not told',
    file: 'src/machines/OrderedEvents.ts',
    find: 'for await (const event of missed) this.#tell(event);',
    replace: 'for await (const event of missed) this.#lastSeq = event.seq;',
    test: HANDS_TEST,
    title: 'only the same role takes over from one that lives, which then follows',
  },
];
