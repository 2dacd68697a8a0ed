import { playTable } from './playTable.js';

/** The first line that it prints, without what differs from run to run; then it is ended. */
const first = (options: string) =>
  `/bin/sh -c 'echo $$ > pid; exec huddle web ${options}' | { read -r line; echo "$line" | /bin/sed -E 's/:[0-9]+\\//:<port>\\//; s/code=[0-9a-z]+/code=<code>/'; kill "$(/bin/cat pid)"; }`;

playTable({
  web: {
    'nothing is installed': {
      'huddle web --help': 0,
      [first('--port 0')]: 0,
      'huddle web --port 65536': 2,
      'huddle web --port http': 2,
      'huddle web one two': 2,
      'huddle web nothing --watch-only': 2,
      'huddle web --watch-only --debug-file no/such/folder/log.txt': 74,
    },
    'a session is kept': {
      [first('wiki-1 --port 0 --open')]: 0,
      [first('--port 0 --watch-only')]: 0,
      [first('--port 0 --team huddle.jsonc --trust')]: 0,
      'huddle web --team none.jsonc': 78,
    },
    'there is a team': { 'huddle web': 77 },
    'the team file is wrong': { 'huddle web': 78 },
  },
});
