import { expect, test } from 'vitest';
import { AGENT_DEFINITIONS, createAdapter, findDefinition } from '../../src/agents/definitions.js';
import { turnRequest } from './turnRequest.js';

test.each(['claude', 'Claude', ' claude-code '])('%o is found under its one definition', (spelling) => {
  expect(findDefinition(spelling)?.type).toBe('claude-code');
});

test.each(['cursor', 'toString', '__proto__'])(
  '%s has no definition, and the error names those there are',
  (type) => {
    expect(findDefinition(type)).toBeUndefined();
    expect(() => createAdapter(type)).toThrow(/Known are: claude-code, claude, openai-codex/);
  },
);

test('a session kind is offered exactly where the dialect can prepare it', () => {
  for (const { label, dialect, capabilities, command } of AGENT_DEFINITIONS) {
    if (!dialect || !command) continue;
    for (const kind of ['new', 'resume', 'fork'] as const) {
      const prepare = () => dialect.prepare(turnRequest({ session: { kind, sessionId: 's-1' } }));
      if (capabilities.sessions.includes(kind)) expect(prepare(), label).toBeDefined();
      else expect(prepare, label).toThrow();
    }
  }
});

test('an installed program that is probed has a version it was tested with', () => {
  for (const { command, probe } of AGENT_DEFINITIONS)
    if (command) expect(probe?.testedVersion).toMatch(/^\d+\.\d+\.\d+$/);
});
