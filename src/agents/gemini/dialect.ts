import type { Dialect } from '../dialect/Dialect.js';
import { prepareGemini } from './arguments.js';
import { createGeminiReader } from './events.js';
import { explainGeminiExit, loginHint } from './failures.js';

export const geminiDialect: Dialect = {
  output: 'json-lines',
  loginHint,
  prepare: prepareGemini,
  createReader: createGeminiReader,
  explainExit: explainGeminiExit,
};
