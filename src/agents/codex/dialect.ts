import type { Dialect } from '../dialect/Dialect.js';
import { prepareCodex } from './arguments.js';
import { createCodexReader } from './events.js';
import { codexLoginHint, explainCodexExit } from './failures.js';
import { mcpServersInquiry } from './mcpServers.js';

export const codexDialect: Dialect = {
  output: 'json-lines',
  loginHint: codexLoginHint,
  inquiry: mcpServersInquiry,
  prepare: prepareCodex,
  createReader: createCodexReader,
  explainExit: explainCodexExit,
};
