import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { childEnvironment } from '../../src/agents/process/environment.js';
import { ACP_AGENTS } from '../../src/models/AcpAgents.js';
import { AGENT_TYPES } from '../../src/models/AgentConfig.js';
import { VENDOR_CREDENTIALS } from '../../src/models/vendorCredentials.js';

/** The vendors of agents, and words that names of their credentials begin with. */
const VENDORS = {
  anthropic: ['ANTHROPIC', 'CLAUDE', 'CLAUDE_CODE'],
  openai: ['OPENAI', 'CODEX', 'AZURE_OPENAI', 'CHATGPT'],
  google: ['GEMINI', 'GOOGLE_GENAI', 'GOOGLE_GENERATIVE_AI', 'PALM'],
} as const;
type Vendor = keyof typeof VENDORS;
const NAMES = Object.keys(VENDORS) as Vendor[];
const FORMS = ['API_KEY', 'APIKEY', 'API_KEYS', 'AUTH_TOKEN', 'ACCESS_TOKEN', 'API_TOKEN', 'ADMIN_KEY'];

const word = fc.stringMatching(/^[A-Z][A-Z0-9]{1,8}$/u);
const suffix = fc.oneof(
  fc.constant(''),
  fc.integer({ min: 0, max: 99 }).map((number) => `_${number}`),
  word.map((text) => `_${text}`),
);
const spelling = fc.constantFrom(
  (name: string) => name,
  (name: string) => name.toLowerCase(),
);

/** Whether a member with these credentials gets a variable, in both modes. */
function gets(name: string, ownCredentials: readonly string[]): readonly boolean[] {
  const parent = { [name]: 'x' };
  return (['inherit', 'minimal'] as const).map(
    (mode) => name in childEnvironment({ parent, mode, ownCredentials, extra: {} }),
  );
}

describe('a variable that pays for a model', () => {
  test('reaches members of its vendor and nobody else, with a number or a word behind it too', () => {
    const name = fc
      .tuple(fc.constantFrom(...NAMES), fc.nat(9), fc.constantFrom(...FORMS), suffix)
      .map(([vendor, at, form, end]) => {
        const words = VENDORS[vendor];
        return [vendor, `${words[at % words.length]}_${form}${end}`] as const;
      });
    fc.assert(
      fc.property(name, spelling, ([vendor, upper], spell) => {
        const variable = spell(upper);
        for (const other of NAMES)
          expect(gets(variable, VENDOR_CREDENTIALS[other])).toEqual(Array(2).fill(other === vendor));
        expect(gets(variable, [])).toEqual([false, false]);
      }),
    );
  });

  test('of a vendor that no member is of reaches only who names it', () => {
    fc.assert(
      fc.property(word, fc.constantFrom('API_KEY', 'APIKEY', 'API_KEYS'), suffix, (vendor, form, end) => {
        const name = `${vendor}_${form}${end}`;
        fc.pre(!NAMES.some((known) => VENDORS[known].some((words) => name.startsWith(`${words}_`))));
        fc.pre(!/^(?:GOOGLE|AWS_BEARER)_/u.test(name));
        for (const own of [[], ...NAMES.map((known) => VENDOR_CREDENTIALS[known])])
          expect(gets(name, own)).toEqual([false, false]);
        expect(gets(name, [name])).toEqual([true, true]);
        expect(gets(`${name}_OTHER`, [name])).toEqual([false, false]);
      }),
    );
  });

  test.each([
    ...['HUGGING_FACE_HUB_TOKEN', 'HF_TOKEN', 'HF_TOKEN_2', 'AZURE_API_KEY', 'GITHUB_COPILOT_TOKEN'],
    ...['AI_GATEWAY_API_KEY', 'OPENCODE_API_KEY', 'AMP_API_KEY', 'NVIDIA_API_KEY', 'MINIMAX_API_KEY'],
    ...['ZHIPUAI_API_KEY', 'ARK_API_KEY', 'REPLICATE_API_TOKEN', 'CURSOR_AUTH_TOKEN', 'DEEPSEEK_TOKEN'],
    ...['WORK_OPENAI_API_KEY', 'VITE_ANTHROPIC_API_KEY', 'COPILOT_GITHUB_TOKEN'],
  ])('%s reaches no member of Claude Code, Codex and Gemini CLI, and no command', (name) => {
    for (const own of [[], ...NAMES.map((vendor) => VENDOR_CREDENTIALS[vendor])])
      expect(gets(name, own)).toEqual([false, false]);
  });

  test('that a member names alone brings no others of that vendor', () => {
    expect(gets('OPENAI_API_KEY', ['OPENAI_API_KEY'])).toEqual([true, true]);
    expect(gets('OPENAI_API_KEY_WORK', ['OPENAI_API_KEY'])).toEqual([false, false]);
  });

  test('is held back, whichever row of the tables of agents names it', () => {
    for (const { credentialVariables } of [...AGENT_TYPES, ...ACP_AGENTS])
      for (const name of credentialVariables) expect([name, ...gets(name, [])]).toEqual([name, false, false]);
  });
});

test.each([
  ...['GITHUB_TOKEN', 'GH_TOKEN', 'NPM_TOKEN', 'AWS_PROFILE', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN'],
  ...['GOOGLE_APPLICATION_CREDENTIALS', 'GOOGLE_CLOUD_PROJECT', 'AZURE_CLIENT_SECRET', 'KUBECONFIG'],
  ...['ANTHROPIC_MODEL', 'CLAUDE_CODE_MAX_OUTPUT_TOKENS', 'OPENAI_BASE_URL', 'GEMINI_MODEL', 'API_KEY'],
  ...['KEYBOARD', 'TOKEN', 'MAX_TOKENS', 'MONKEY_TOKENIZER', 'API_KEYBOARD', 'SSH_AUTH_SOCK'],
])('%s is the user’s own and passes', (name) => {
  expect(gets(name, [])).toEqual([true, false]);
});
