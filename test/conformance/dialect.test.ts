import { expect, test } from 'vitest';
import { AGENT_DEFINITIONS } from '../../src/agents/definitions.js';
import { AGENT_TYPES } from '../../src/models/AgentConfig.js';
import { type DialectExpectations, testDialect } from './dialect.js';

const expectations: Readonly<Record<string, DialectExpectations>> = {
  'claude-code': {
    simulator: 'claude',
    failures: {
      'not-logged-in': 'AUTH',
      auth: 'AUTH',
      'rate-limit': 'AGENT_ERROR',
      'server-error': 'AGENT_ERROR',
      // Claude tries again and succeeds.
      cut: 'completed',
      'no-final-event': 'NO_FINAL_EVENT',
    },
    keepsDraftOfCut: false,
  },
  'openai-codex': {
    simulator: 'codex',
    failures: {
      'not-logged-in': 'AUTH',
      auth: 'AUTH',
      'rate-limit': 'AGENT_ERROR',
      'server-error': 'AGENT_ERROR',
      cut: 'AGENT_ERROR',
      'no-final-event': 'NO_FINAL_EVENT',
    },
    // Codex prints no text before a block is whole.
    keepsDraftOfCut: false,
  },
  'google-gemini': {
    simulator: 'gemini',
    failures: {
      'not-logged-in': 'AUTH',
      auth: 'AUTH',
      'rate-limit': 'AGENT_ERROR',
      'server-error': 'AGENT_ERROR',
      cut: 'AGENT_ERROR',
      'no-final-event': 'NO_FINAL_EVENT',
    },
    keepsDraftOfCut: true,
  },
  acp: {
    simulator: 'acp',
    failures: {
      'not-logged-in': 'AUTH',
      auth: 'AUTH',
      'rate-limit': 'AGENT_ERROR',
      'server-error': 'AGENT_ERROR',
      cut: 'AGENT_ERROR',
      'no-final-event': 'NO_FINAL_EVENT',
    },
    keepsDraftOfCut: true,
  },
  command: {
    simulator: 'plain',
    // Only the exit code is known.
    failures: {
      'not-logged-in': 'AGENT_ERROR',
      auth: 'AGENT_ERROR',
      'rate-limit': 'AGENT_ERROR',
      'server-error': 'AGENT_ERROR',
      cut: 'AGENT_ERROR',
      'no-final-event': 'AGENT_ERROR',
    },
    keepsDraftOfCut: false,
  },
};

for (const definition of AGENT_DEFINITIONS) {
  const expected = expectations[definition.type];
  if (expected) testDialect(definition, expected);
}

test('every agent type has a definition and is held to the contract', () => {
  const types = AGENT_TYPES.map(({ type }) => type);
  expect(AGENT_DEFINITIONS.map(({ type }) => type)).toEqual(types);
  expect(Object.keys(expectations).sort()).toEqual(types.sort());
});
