/**
 * The variables by which model vendors are paid, and from which the rule below follows. An agent gets those of its own
 * vendor only: a leaked key silently moves a subscription to a paid account. A name may stand under several vendors. Cloud
 * accounts (`AWS_PROFILE`, `GOOGLE_APPLICATION_CREDENTIALS`, …) and `GITHUB_TOKEN` are not here: the tools an agent runs
 * need the user's own.
 */
export const VENDOR_CREDENTIALS = {
  anthropic: [
    'ANTHROPIC_API_KEY',
    'ANTHROPIC_AUTH_TOKEN',
    'ANTHROPIC_CUSTOM_HEADERS',
    'ANTHROPIC_FOUNDRY_API_KEY',
    'AWS_BEARER_TOKEN_BEDROCK',
    'CLAUDE_API_KEY',
    'CLAUDE_CODE_OAUTH_TOKEN',
    'CLAUDE_CODE_OAUTH_REFRESH_TOKEN',
  ],
  openai: [
    'OPENAI_API_KEY',
    'OPENAI_ACCESS_TOKEN',
    'OPENAI_ADMIN_KEY',
    'AZURE_OPENAI_API_KEY',
    'CODEX_API_KEY',
    'CODEX_ACCESS_TOKEN',
  ],
  google: [
    'GEMINI_API_KEY',
    'GOOGLE_API_KEY',
    'GOOGLE_GENAI_API_KEY',
    'GOOGLE_GENERATIVE_AI_API_KEY',
    'GOOGLE_CLOUD_ACCESS_TOKEN',
    'PALM_API_KEY',
  ],
  others: [
    'CEREBRAS_API_KEY',
    'COHERE_API_KEY',
    'COPILOT_GITHUB_TOKEN',
    'CURSOR_API_KEY',
    'DASHSCOPE_API_KEY',
    'DEEPSEEK_API_KEY',
    'FIREWORKS_API_KEY',
    'GITHUB_COPILOT_TOKEN',
    'GITHUB_MODELS_TOKEN',
    'GROQ_API_KEY',
    'HF_TOKEN',
    'HUGGING_FACE_HUB_TOKEN',
    'HUGGINGFACEHUB_API_TOKEN',
    'HUGGINGFACE_TOKEN',
    'KIMI_API_KEY',
    'MISTRAL_API_KEY',
    'MOONSHOT_API_KEY',
    'OPENROUTER_API_KEY',
    'PERPLEXITY_API_KEY',
    'QWEN_API_KEY',
    'REPLICATE_API_TOKEN',
    'TOGETHER_API_KEY',
    'XAI_API_KEY',
    'ZAI_API_KEY',
  ],
} as const satisfies Record<string, readonly string[]>;

type Vendor = keyof typeof VENDOR_CREDENTIALS;

/** First words of names of vendors that agents are of. */
const FIRST_WORDS: Readonly<Record<Exclude<Vendor, 'others'>, RegExp>> = {
  anthropic: /^(?:ANTHROPIC|CLAUDE)_/u,
  openai: /^(?:OPENAI|AZURE_OPENAI|CHATGPT|CODEX)_/u,
  google: /^(?:GEMINI|GOOGLE_GENAI|GOOGLE_GENERATIVE_AI|PALM)_/u,
};

/** First words of vendors whose tokens are held back too, as their keys are: those before `_API_KEY` in the table. */
const OTHER_FIRST_WORDS = new RegExp(
  `^(?:${VENDOR_CREDENTIALS.others.flatMap((name) => /^(.+)_API_KEY$/u.exec(name)?.[1] ?? []).join('|')})_`,
  'u',
);

/** A key of any vendor, with or without a number or a word behind it: `X_API_KEY`, `X_APIKEY_2`, `X_API_KEY_WORK`. */
const ANY_KEY = /._API_?KEYS?(?:_|\d|$)/u;

/** Other words that make a credential of a name with a vendor's first words. */
const KEY_OR_TOKEN = /_(?:KEY|TOKEN)(?:_|\d|$)/u;

/** Whether a variable holds what pays for a model. */
export function isVendorCredential(name: string): boolean {
  return vendorOf(name.toUpperCase()) !== undefined;
}

/**
 * Whether a variable belongs to those that a member gets: by its name, or as another one (`OPENAI_API_KEY_WORK`) of a
 * vendor all of whose names are among them. One that was named alone stands for itself.
 */
export function isAmongCredentials(name: string, own: ReadonlySet<string>): boolean {
  if (own.has(name)) return true;
  const vendor = vendorOf(name.toUpperCase());
  return vendor !== undefined && VENDOR_CREDENTIALS[vendor].every((known) => own.has(known));
}

/** The vendor of a credential; `others` is none in particular. */
function vendorOf(name: string): Vendor | undefined {
  const isKey = ANY_KEY.test(name);
  for (const vendor of VENDORS) {
    const isItsOwn = vendor === 'others' ? OTHER_FIRST_WORDS.test(name) : FIRST_WORDS[vendor].test(name);
    if (isItsOwn && (isKey || KEY_OR_TOKEN.test(name))) return vendor;
    if (VENDOR_CREDENTIALS[vendor].some((known) => name === known || isVariant(name, known))) return vendor;
  }
  return isKey ? 'others' : undefined;
}

const VENDORS = Object.keys(VENDOR_CREDENTIALS) as readonly Vendor[];

/** The same name with a number or a word behind it. */
function isVariant(name: string, known: string): boolean {
  return name.startsWith(known) && /^(?:_|\d)/u.test(name.slice(known.length));
}
