import type { Dialect } from '../dialect/Dialect.js';
import { prepareCodex } from './arguments.js';
import { createCodexReader } from './events.js';
import { explainCodexExit, loginHint } from './failures.js';
import { mcpServersInquiry } from './mcpServers.js';

export const codexDialect: Dialect = {
  output: 'json-lines',
  loginHint,
  inquiry: mcpServersInquiry,
  prepare: prepareCodex,
  createReader: createCodexReader,
  explainExit: explainCodexExit,
};
