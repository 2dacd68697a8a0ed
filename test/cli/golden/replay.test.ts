import { playTable } from './playTable.js';

/** How far columns are apart depends on how long turns took. */
const SQUEEZE = '| /bin/sed -E "s/[0-9.]+ s/N s/g; s/ +/ /g"';

playTable({
  replay: {
    'nothing is installed': {
      'huddle replay --help': 0,
      'huddle replay': 2,
      'huddle replay wiki-1': 2,
      'huddle replay wiki-1 --repeat 1': 2,
      'huddle replay wiki-1 --read-only --in-place': 2,
      'huddle replay no.jsonl': 2,
      'echo no > no.jsonl; huddle replay no.jsonl': 65,
    },
    'a session is kept': {
      [`huddle replay wiki-1 --model max=opus --max-usd 5 ${SQUEEZE}`]: 0,
      [`huddle replay wiki-1 --each-turn --read-only --diff ${SQUEEZE}`]: 0,
      [`huddle replay wiki-1 --repeat 2 --check "node -e console.log(42)" --nested ${SQUEEZE}`]: 0,
      'huddle replay wiki-1 --check "node -e process.exit(3)" --json > replay.json': 1,
      'HOSTILE=crash huddle replay wiki-1 > table.txt': 1,
      'huddle replay wiki-1 --max-usd 0.000001 > table.txt': 5,
      'huddle replay wiki-1 --against huddle.jsonc --trust --in-place > table.txt': 0,
      'huddle replay wiki-1 --check "node check.mjs && true"': 2,
      'huddle replay wiki-1 --check nothing-there': 2,
      'huddle replay wiki-1 --check ""': 2,
      'huddle replay wiki-1 --against no.jsonc': 78,
    },
    'a session is kept, and its team is not trusted': { 'huddle replay wiki-1': 77 },
    'sessions ended in every way': { 'huddle replay wiki-1': 2 },
    'a session is open in another process': { 'huddle replay wiki-1 > table.txt': 0 },
    'a session is damaged': { 'huddle replay wiki-1': 65 },
    'the store is no database': { 'huddle replay wiki-1': 65 },
  },
});
