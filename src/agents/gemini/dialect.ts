import type { Dialect } from '../dialect/Dialect.js';
import { VENDOR_CREDENTIALS } from '../process/environment.js';
import { prepareGemini } from './arguments.js';
import { createGeminiReader } from './events.js';
import { explainGeminiExit, loginHint } from './failures.js';

export const geminiDialect: Dialect = {
  output: 'json-lines',
  loginHint,
  credentialVariables: VENDOR_CREDENTIALS.google,
  prepare: prepareGemini,
  createReader: createGeminiReader,
  explainExit: explainGeminiExit,
};
