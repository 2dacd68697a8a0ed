/**
 * The variables by which model vendors are paid. An agent gets those of its own vendor only: a leaked key silently
 * moves a subscription to a paid account. A name may stand under several vendors. Cloud accounts (`AWS_PROFILE`,
 * `GOOGLE_APPLICATION_CREDENTIALS`, …) and `GITHUB_TOKEN` are not here: the tools an agent runs need the user's own.
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
    'GROQ_API_KEY',
    'HF_TOKEN',
    'KIMI_API_KEY',
    'MISTRAL_API_KEY',
    'MOONSHOT_API_KEY',
    'OPENROUTER_API_KEY',
    'PERPLEXITY_API_KEY',
    'QWEN_API_KEY',
    'TOGETHER_API_KEY',
    'XAI_API_KEY',
    'ZAI_API_KEY',
  ],
} as const satisfies Record<string, readonly string[]>;
