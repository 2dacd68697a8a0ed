import { describe, expect, it } from 'vitest';
import { childEnvironment } from '../../../src/agents/process/environment.js';
import { VENDOR_CREDENTIALS } from '../../../src/models/vendorCredentials.js';
import { play } from './hostileAgent.js';

const VENDORS = ['anthropic', 'openai', 'google'] as const;
/** Twelve names that pay for somebody. */
const SECRET_NAMES = [
  ...['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN', 'AWS_BEARER_TOKEN_BEDROCK'],
  ...['OPENAI_API_KEY', 'CODEX_API_KEY', 'AZURE_OPENAI_API_KEY'],
  ...['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY'],
  ...['OPENROUTER_API_KEY', 'COPILOT_GITHUB_TOKEN'],
];
const PARENT = {
  ...Object.fromEntries(SECRET_NAMES.map((name) => [name, 'secret'])),
  PATH: '/bin',
  HOME: '/home/max',
  LC_ALL: 'C.UTF-8',
  https_proxy: 'http://proxy',
  EDITOR: 'vi',
  GITHUB_TOKEN: 'the tools need it',
  HUDDLE_DEBUG: '1',
  HUDDLE_TURN: 'of an outer Huddle',
  UNSET: undefined,
};

const choice = { parent: PARENT, ownCredentials: [], extra: {} };

describe('the environment of an agent', () => {
  it.each(VENDORS)("has no other vendor's credentials (%s)", (vendor) => {
    const own: readonly string[] = VENDOR_CREDENTIALS[vendor];
    for (const mode of ['inherit', 'minimal'] as const) {
      const environment = childEnvironment({ ...choice, mode, ownCredentials: own });
      const passed = SECRET_NAMES.filter((name) => name in environment);
      expect(passed).toEqual(SECRET_NAMES.filter((name) => own.includes(name)));
      expect(passed.length).toBeGreaterThan(0);
    }
  });

  it('is otherwise the one of the user, without what is Huddle’s own', () => {
    expect(childEnvironment({ ...choice, mode: 'inherit' })).toEqual({
      PATH: '/bin',
      HOME: '/home/max',
      LC_ALL: 'C.UTF-8',
      https_proxy: 'http://proxy',
      EDITOR: 'vi',
      GITHUB_TOKEN: 'the tools need it',
    });
  });

  it('is short when it is to be minimal', () => {
    expect(childEnvironment({ ...choice, mode: 'minimal', extra: { EXTRA: 'yes' } })).toEqual({
      PATH: '/bin',
      HOME: '/home/max',
      LC_ALL: 'C.UTF-8',
      https_proxy: 'http://proxy',
      EXTRA: 'yes',
    });
  });

  it('names the turn to what runs in it', () => {
    expect(childEnvironment({ ...choice, mode: 'minimal', turn: 'turn-1 of session x' })).toMatchObject({
      HUDDLE_TURN_OF: 'turn-1 of session x',
    });
  });

  it.each(['inherit', 'minimal'] as const)(
    'has nothing of Postgres while a shared store is in use (%s)',
    (mode) => {
      const parent = { PATH: '/bin', PGPASSWORD: 'x', PGHOST: 'db', PGSSLKEY: 'x', PG: 'x', pgdata: 'x' };
      const asked = { ...choice, parent, mode, ownCredentials: ['PGPASSWORD', 'HUDDLE_STORE'] };
      expect(Object.keys(childEnvironment({ ...asked, hidesPostgres: true }))).not.toContainEqual(
        expect.stringMatching(/^PG[A-Z]|^HUDDLE/u),
      );
      expect(childEnvironment(asked)).toMatchObject({ PGPASSWORD: 'x' });
    },
  );

  it('is what the process really gets', async () => {
    const { outcome } = await play('env', {
      environment: { ...PARENT, PATH: process.env.PATH },
      request: { credentials: VENDOR_CREDENTIALS.google },
    });
    const names =
      outcome.kind === 'completed' ? outcome.text.split('\n').map((line) => line.split('=')[0]) : [];
    expect(names).toContain('GEMINI_API_KEY');
    expect(names).toContain('HUDDLE_TURN');
    expect(names).not.toContain('OPENAI_API_KEY');
    expect(names).not.toContain('HUDDLE_DEBUG');
  });
});
