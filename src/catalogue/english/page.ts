import { counted } from '../counted.js';

/** Sentences of an exported page. */
export const pageText = {
  conversation: 'Conversation',
  rehearsal: 'dry run',
  fromTo: (from: string, to: string) => `From ${from} to ${to}`,
  members: 'Members',
  task: 'Team task',
  taskCleared: 'cleared',
  outcomes: {
    completed: 'replied with nothing',
    failed: 'failed',
    cancelled: 'stopped',
    'timed-out': 'timed out',
    interrupted: 'interrupted',
  },
  askedFor: 'asked permission for',
  requests: (count: number) => counted(count, 'permission request'),
  toolCalls: (count: number) => counted(count, 'tool call'),
  changedFiles: (count: number) => counted(count, 'changed file'),
  prompt: (bytes: string, max: string) => `Prompt: ${bytes} of ${max} bytes`,
  usage: 'Usage',
  usageOf: (turns: number, money: string) => `Usage: ${counted(turns, 'turn')}${money && `, ${money}`}`,
};
