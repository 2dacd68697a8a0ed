import type { Dialect } from '../dialect/Dialect.js';
import { prepareCodex } from './arguments.js';
import { createCodexReader } from './events.js';
import { explainCodexExit } from './failures.js';
import { mcpServersInquiry } from './mcpServers.js';
import { isTakenByCodex } from './serverSettings.js';

export const codexDialect: Dialect = {
  output: 'json-lines',
  login: { run: 'codex login', variables: ['CODEX_API_KEY'] },
  inquiry: mcpServersInquiry,
  takesServer: isTakenByCodex,
  prepare: prepareCodex,
  createReader: createCodexReader,
  explainExit: explainCodexExit,
};
