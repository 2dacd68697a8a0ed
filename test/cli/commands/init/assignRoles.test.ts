import { describe, expect, test } from 'vitest';
import { findPreset } from '../../../../src/catalogue/presets.js';
import { assignRoles } from '../../../../src/cli/commands/init/formatTeamFile.js';

const council = (...installed: readonly string[]): readonly string[] =>
  assignRoles(findPreset('council'), installed).map(({ agentType }) => agentType);

describe('assignRoles', () => {
  test('gives everybody the seat that is meant for them', () => {
    expect(council('google-gemini', 'openai-codex', 'claude-code')).toEqual([
      'claude-code',
      'openai-codex',
      'google-gemini',
    ]);
  });

  test('gives a seat without its agent to the first who is there', () => {
    expect(council('openai-codex', 'claude-code')).toEqual(['claude-code', 'openai-codex', 'openai-codex']);
  });

  test('shares free roles out evenly', () => {
    expect(council('google-gemini', 'acp')).toEqual(['acp', 'google-gemini', 'google-gemini']);
  });

  test('lets one agent take every seat', () => {
    expect(council('google-gemini')).toEqual(['google-gemini', 'google-gemini', 'google-gemini']);
  });

  test('with nobody there, is as if everybody were', () => {
    expect(council()).toEqual(['claude-code', 'openai-codex', 'google-gemini']);
  });
});
