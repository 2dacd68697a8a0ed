import type { Dialect } from '../dialect/Dialect.js';
import { prepareGemini } from './arguments.js';
import { createGeminiReader } from './events.js';
import { explainGeminiExit, geminiLoginHint } from './failures.js';

export const geminiDialect: Dialect = {
  output: 'json-lines',
  loginHint: geminiLoginHint,
  prepare: prepareGemini,
  createReader: createGeminiReader,
  explainExit: explainGeminiExit,
};
