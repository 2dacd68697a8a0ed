import type { AssemblerInput, Logger, Speaker } from '../../../src/index.js';

export const user: Speaker = { roleId: 'user', roleName: 'User', roleTitle: 'Owner', type: 'human' };
export const max: Speaker = { roleId: 'max', roleName: 'Max', roleTitle: 'Architect', type: 'ai' };
export const sarah: Speaker = { roleId: 'sarah', roleName: 'Sarah', roleTitle: 'Engineer', type: 'ai' };

/** The budget of the documents' examples. */
export const ROOMY = 768 * 1024;

/** An assembler input that has nothing to say but for what a test fills in. */
export function inputOf(fields: Partial<AssemblerInput> = {}): AssemblerInput {
  return { contextMessages: [], currentMessage: '', teamTask: null, maxBytes: ROOMY, ...fields };
}

/** A logger that keeps what it is told, as `level: text`. */
export function createLogKeeper(): Required<Logger> & { readonly lines: readonly string[] } {
  const lines: string[] = [];
  const keep = (level: keyof Logger) => (message: string) => {
    lines.push(`${level}: ${message}`);
  };
  return { lines, debug: keep('debug'), info: keep('info'), warn: keep('warn'), error: keep('error') };
}
