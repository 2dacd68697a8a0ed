import type { ErrorEvent } from '../../models/AgentEvent.js';
import type { TurnRequest } from '../AgentAdapter.js';

/** Said with every turn of which `putSystemTextInPrompt` made the request. */
export const SYSTEM_TEXT_IN_PROMPT: ErrorEvent = {
  type: 'error',
  message: 'This version of the agent takes no system text beside the prompt, so it stands in the prompt.',
};

/** The prompt was made for an agent that has its system text elsewhere, so nothing in it was kept from reading as such. */
export function putSystemTextInPrompt({ systemFlag, prompt, ...request }: TurnRequest): TurnRequest {
  return { ...request, prompt: `[SYSTEM]\n${systemFlag}\n\n${prompt.replaceAll(/^\[SYSTEM\]/gmu, '  $&')}` };
}
