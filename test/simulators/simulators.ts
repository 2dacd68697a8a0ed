import { claudeSimulator } from './claudeSimulator.js';
import { codexSimulator } from './codexSimulator.js';
import { geminiSimulator } from './geminiSimulator.js';
import { plainSimulator } from './plainSimulator.js';

/** The CLI that a simulator prints like. */
export type SimulatorName = keyof typeof simulators;

/** The simulators of all CLIs, and of a plain program. */
export const simulators = {
  claude: claudeSimulator,
  codex: codexSimulator,
  gemini: geminiSimulator,
  plain: plainSimulator,
};
