import type { WarningEvent } from '../../models/AgentEvent.js';
import type { TurnRequest } from '../AgentAdapter.js';

/** The warning with every turn of which `putSystemTextInPrompt` made the request. */
export const SYSTEM_TEXT_IN_PROMPT: WarningEvent = {
  type: 'warning',
  about: { code: 'system-text-in-prompt' },
};

/** The prompt was made for an agent that has its system text elsewhere, so nothing in it was kept from reading as such. */
export function putSystemTextInPrompt({ systemFlag, prompt, ...request }: TurnRequest): TurnRequest {
  return { ...request, prompt: `[SYSTEM]\n${systemFlag}\n\n${prompt.replaceAll(/^\[SYSTEM\]/gmu, '  $&')}` };
}
