import { counted } from '../counted.js';

/** Sentences of an exported page. */
export const pageText = {
  rehearsal: 'dry run',
  task: 'Team task',
  taskCleared: 'cleared',
  failed: 'failed',
  requests: (count: number) => counted(count, 'permission request'),
  toolCalls: (count: number) => counted(count, 'tool call'),
  changedFiles: (count: number) => counted(count, 'changed file'),
  prompt: (bytes: string, max: string) => `Prompt: ${bytes} of ${max} bytes`,
  usage: (turns: number, money: string) => `Usage: ${counted(turns, 'turn')}${money && `, ${money}`}`,
};
