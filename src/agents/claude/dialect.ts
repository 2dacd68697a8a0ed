import type { Dialect } from '../dialect/Dialect.js';
import { prepareClaude } from './arguments.js';
import { createClaudeReader } from './events.js';
import { explainClaudeExit, refusesSystemText } from './failures.js';

export const claudeDialect: Dialect = {
  output: 'json-lines',
  login: { run: 'claude', type: '/login', variables: ['ANTHROPIC_API_KEY'] },
  takesServer: () => true,
  prepare: prepareClaude,
  createReader: createClaudeReader,
  explainExit: explainClaudeExit,
  refusesSystemText,
};
