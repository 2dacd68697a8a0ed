import type { Dialect } from '../dialect/Dialect.js';
import { VENDOR_CREDENTIALS } from '../process/environment.js';
import { prepareCodex } from './arguments.js';
import { createCodexReader } from './events.js';
import { explainCodexExit, loginHint } from './failures.js';
import { mcpServersInquiry } from './mcpServers.js';

export const codexDialect: Dialect = {
  output: 'json-lines',
  loginHint,
  credentialVariables: VENDOR_CREDENTIALS.openai,
  inquiry: mcpServersInquiry,
  prepare: prepareCodex,
  createReader: createCodexReader,
  explainExit: explainCodexExit,
};
