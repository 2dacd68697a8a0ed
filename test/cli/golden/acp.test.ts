import { playTable } from './playTable.js';

const line = (id: number, method: string, params: object) =>
  `'${JSON.stringify({ jsonrpc: '2.0', id, method, params })}'`;
const INITIALIZE = line(1, 'initialize', { protocolVersion: 1 });
/** A client that asks something and leaves; its answer, without that to `initialize`. */
const ask = (request: string, options = '') =>
  `printf "%s\\n" ${INITIALIZE} ${request} | huddle acp${options} | /bin/sed -E '1d; s/[0-9-]+T[0-9:.]+Z/<time>/'`;
const LIST = line(2, 'session/list', {});

playTable({
  acp: {
    'nothing is installed': {
      'huddle acp --help': 0,
      'huddle acp < /dev/null': 0,
      [`printf "%s\\n" ${INITIALIZE} | huddle acp | /bin/sed -E 's/"version":"[^"]+"/"version":"<version>"/'`]: 0,
      'huddle acp now': 2,
      'huddle acp --max-turns 0 < /dev/null': 2,
      'huddle acp --max-usd no < /dev/null': 2,
      'echo hello | huddle acp': 0,
      [`printf "%s\\n" ${LIST} | huddle acp`]: 0,
      [ask(line(2, 'session/new', { cwd: '/no/such/folder', mcpServers: [] }), ' --debug-file debug.log')]: 0,
    },
    'a session is kept': {
      [ask(LIST)]: 0,
      [ask(LIST, ' --ephemeral --as kim --max-turns 3 --max-usd 1 --team huddle.jsonc --trust --nested')]: 0,
      [ask(line(2, 'session/prompt', { sessionId: 'wiki-1', prompt: [] }))]: 0,
    },
    'a session is open in another process': {
      [ask(line(2, 'session/delete', { sessionId: 'wiki-1' }))]: 0,
    },
    'the store is no database': { [ask(LIST)]: 0 },
  },
});
