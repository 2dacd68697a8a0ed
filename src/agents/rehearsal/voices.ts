import { claudeVoice } from './voices/claudeVoice.js';
import { codexVoice } from './voices/codexVoice.js';
import { geminiVoice } from './voices/geminiVoice.js';
import { plainVoice } from './voices/plainVoice.js';

/** Which CLI the stand-in sounds like. */
export type VoiceName = keyof typeof voices;

/** Every voice of the stand-in. Agents without one of their own are rehearsed in the plain one. */
export const voices = {
  claude: claudeVoice,
  codex: codexVoice,
  gemini: geminiVoice,
  plain: plainVoice,
};
