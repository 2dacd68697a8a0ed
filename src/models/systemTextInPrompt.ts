import type { ActivityEvent, WarningEvent } from './AgentEvent.js';

/** The warning with every turn of which `putSystemTextInPrompt` made the request. */
export const SYSTEM_TEXT_IN_PROMPT: WarningEvent = {
  type: 'warning',
  about: { code: 'system-text-in-prompt' },
};

/** Whether an event says that the system text of its turn stood in the prompt. */
export function isSystemTextInPrompt(event: ActivityEvent): boolean {
  return event.type === 'warning' && event.about.code === SYSTEM_TEXT_IN_PROMPT.about.code;
}

interface PromptText {
  readonly prompt: string;
  readonly systemFlag?: string | undefined;
}

/** The prompt was made for an agent that has its system text elsewhere, so nothing in it was kept from reading as such. */
export function putSystemTextInPrompt<Text extends PromptText>(text: Text): Text {
  const { systemFlag, prompt } = text;
  if (systemFlag === undefined) return text;
  const whole = `[SYSTEM]\n${systemFlag}\n\n${prompt.replaceAll(/^\[SYSTEM\]/gmu, '  $&')}`;
  return { ...text, prompt: whole, systemFlag: undefined };
}
