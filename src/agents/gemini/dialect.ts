import type { Dialect } from '../dialect/Dialect.js';
import { prepareGemini } from './arguments.js';
import { createGeminiReader } from './events.js';
import { explainGeminiExit } from './failures.js';

export const geminiDialect: Dialect = {
  output: 'json-lines',
  login: { run: 'gemini', variables: ['GEMINI_API_KEY'] },
  prepare: prepareGemini,
  createReader: createGeminiReader,
  explainExit: explainGeminiExit,
};
