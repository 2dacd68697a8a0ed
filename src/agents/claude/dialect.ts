import type { Dialect } from '../dialect/Dialect.js';
import { prepareClaude } from './arguments.js';
import { createClaudeReader } from './events.js';
import { explainClaudeExit, loginHint, refusesSystemText } from './failures.js';

export const claudeDialect: Dialect = {
  output: 'json-lines',
  loginHint,
  prepare: prepareClaude,
  createReader: createClaudeReader,
  explainExit: explainClaudeExit,
  refusesSystemText,
};
