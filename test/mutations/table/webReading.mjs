const READING = 'test/frontends/web/reading';

/** What the page tells of whole conversations. */
export const webReading = [
  {
    name: 'a question that is never answered holds up all that follow',
    file: 'src/frontends/web/reading/ReadingThread.ts',
    find: "this.#timer = setTimeout(() => void this.#giveUp('slow'), answerMilliseconds);",
    replace: '',
    test: `${READING}/ReadingThread.test.ts`,
    title: 'a question that is never answered is given up, and the next one gets another thread',
  },
  {
    name: 'a thread that died takes the questions behind it along',
    file: 'src/frontends/web/reading/ReadingThread.ts',
    find: 'if (!this.#isClosed) this.#askNext();',
    replace: '',
    test: `${READING}/ReadingThread.test.ts`,
    title: 'when the thread stops in a question (die), only that one is lost',
  },
  {
    name: 'what is new in a prompt is told since the turn of another member',
    file: 'src/frontends/web/reading/explainForPage.ts',
    find: '.findLast((turn) => turn.memberId === memberId)',
    replace: '.findLast((turn) => memberId !== undefined && turn !== undefined)',
    test: `${READING}/reading.test.ts`,
    built: true,
    title: 'a turn is explained with the turns around it',
  },
  {
    name: 'files that were put back count as changed by the conversation',
    file: 'src/frontends/web/reading/findFileChanges.ts',
    find: 'if (units.length < 2) return undefined;',
    replace: 'if (units.length < 20) return undefined;',
    test: `${READING}/findFileChanges.test.ts`,
    title: 'what was put back is left out',
  },
  {
    name: 'lines of a diff on the page may reorder what is read',
    file: 'src/frontends/web/page/panels/patchRows.ts',
    find: 'text: sanitizeForTerminal(cutLine(text.slice(1)))',
    replace: 'text: cutLine(text.slice(1))',
    test: 'test/frontends/web/panels/patchRows.test.ts',
    title: 'what reorders or hides text is shown, whatever the words around it',
  },
];
