import type { Dialect } from '../dialect/Dialect.js';
import { prepareClaude } from './arguments.js';
import { createClaudeReader } from './events.js';
import { claudeLoginHint, explainClaudeExit, refusesSystemText } from './failures.js';

export const claudeDialect: Dialect = {
  output: 'json-lines',
  loginHint: claudeLoginHint,
  prepare: prepareClaude,
  createReader: createClaudeReader,
  explainExit: explainClaudeExit,
  refusesSystemText,
};
