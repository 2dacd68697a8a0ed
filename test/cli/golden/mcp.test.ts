import { playTable, typeInShell } from './playTable.js';

const HELLO =
  '\'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}\'';

playTable(
  {
    mcp: {
      'nothing is installed': {
        'huddle mcp --help': 0,
        'huddle mcp --config claude': 0,
        'OPENAI_API_KEY=x huddle mcp --config codex': 0,
        'OPENAI_API_KEY=x huddle mcp --config gemini': 0,
        'huddle mcp --config cursor': 0,
        'huddle mcp --config codex --team a.jsonc --folder src --permission team --continue-sessions --max-asks 3 --max-turns 9 --max-usd 2 --wait 90 --debug-file log.txt --trust': 0,
        'huddle mcp --config emacs': 2,
        'huddle mcp --permission full': 2,
        'huddle mcp --max-asks 0': 2,
        'huddle mcp --wait 1501': 2,
        'huddle mcp ask': 2,
        'huddle mcp --nested': 0,
        [`echo ${HELLO} | huddle mcp | /bin/grep -c huddle`]: 0,
        'echo nonsense | huddle mcp': 0,
      },
      'the configuration file is wrong': {
        [`echo ${HELLO} | huddle mcp | /bin/grep -c huddle`]: 0,
      },
    },
  },
  typeInShell,
);
