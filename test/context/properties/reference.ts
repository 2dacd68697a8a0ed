import {
  type AssemblerInput,
  ClaudeContextAssembler,
  CodexContextAssembler,
  GeminiContextAssembler,
  type IContextAssembler,
  PlainTextAssembler,
  type PromptContextMessage,
  type SectionBytes,
} from '../../../src/index.js';

/** A prompt by its sections; an empty one is not there. */
interface ReferencePrompt {
  readonly system: string;
  readonly task: string;
  readonly context: string;
  readonly message: string;
}

/** One of the four formats, written down a second time: straight from the documents' code. */
export interface Dialect {
  readonly name: string;
  readonly agentType: string;
  readonly assembler: IContextAssembler;
  readonly systemIsFlag: boolean;
  readonly titles: readonly string[];
  render(input: AssemblerInput): ReferencePrompt;
}

export const DIALECTS: readonly Dialect[] = [
  {
    name: 'Claude',
    agentType: 'claude-code',
    assembler: new ClaudeContextAssembler(),
    systemIsFlag: true,
    titles: ['[TEAM_TASK]', '[CONTEXT]', '[MESSAGE]'],
    render: (input) => ({
      system: joinSystem(input),
      task: input.teamTask?.trim() ? `[TEAM_TASK]\n${input.teamTask.trim()}` : '',
      context: input.contextMessages.length > 0 ? `[CONTEXT]\n${arrowLines(input.contextMessages)}` : '',
      message: input.currentMessage.trim() ? `[MESSAGE]\n${input.currentMessage.trim()}` : '',
    }),
  },
  {
    name: 'Codex',
    agentType: 'openai-codex',
    assembler: new CodexContextAssembler(),
    systemIsFlag: false,
    titles: ['[SYSTEM]', '[TEAM_TASK]', '[CONTEXT]', '[MESSAGE]'],
    render: (input) => ({
      system: joinSystem(input) ? `[SYSTEM]\n${joinSystem(input)}` : '',
      task: input.teamTask?.trim() ? `[TEAM_TASK]\n${input.teamTask.trim()}` : '',
      context: input.contextMessages.length > 0 ? `[CONTEXT]\n${arrowLines(input.contextMessages)}` : '',
      message: input.currentMessage.trim() ? `[MESSAGE]\n${input.currentMessage.trim()}` : '',
    }),
  },
  {
    name: 'Gemini',
    agentType: 'google-gemini',
    assembler: new GeminiContextAssembler(),
    systemIsFlag: false,
    titles: ['Instructions:', 'Team Task:', 'Conversation so far:', 'Your task:'],
    render: (input) => ({
      system: joinSystem(input) ? `Instructions:\n${joinSystem(input)}` : '',
      task: input.teamTask?.trim() ? `Team Task:\n${input.teamTask.trim()}` : '',
      context:
        input.contextMessages.length > 0
          ? `Conversation so far:\n${input.contextMessages.map(({ from, content }) => `- ${from}: ${content}`).join('\n')}`
          : '',
      message: input.currentMessage.trim() ? `Your task:\n${input.currentMessage.trim()}` : '',
    }),
  },
  {
    name: 'plain text',
    agentType: 'command',
    assembler: new PlainTextAssembler(),
    systemIsFlag: false,
    titles: [],
    render: (input) => ({
      system: joinSystem(input),
      task: input.teamTask?.trim() ?? '',
      context: input.contextMessages.map(({ from, content }) => `${from}: ${content}`).join('\n'),
      message: input.currentMessage.trim(),
    }),
  },
];

function joinSystem({ systemInstruction, instructionFileText }: AssemblerInput): string {
  const parts: string[] = [];
  if (systemInstruction?.trim()) parts.push(systemInstruction.trim());
  if (instructionFileText?.trim()) parts.push(instructionFileText.trim());
  return parts.join('\n\n');
}

function arrowLines(messages: readonly PromptContextMessage[]): string {
  return messages
    .map((message) => `- ${message.from} -> ${message.to ?? 'all'}: ${message.content}`)
    .join('\n');
}

export function bytesOf(text: string): number {
  return Buffer.byteLength(text);
}

/** What has to arrive when there is room enough. */
export function renderWhole(dialect: Dialect, input: AssemblerInput) {
  const { system, task, context, message } = dialect.render(input);
  const parts = dialect.systemIsFlag ? [task, context, message] : [system, task, context, message];
  return {
    prompt: parts
      .filter((part) => part !== '')
      .join('\n\n')
      .toWellFormed(),
    systemFlag: dialect.systemIsFlag && system !== '' ? system.toWellFormed() : undefined,
    measureSections: () => measure({ system, task, context, message }),
  };
}

function measure({ system, task, context, message }: ReferencePrompt): SectionBytes {
  return {
    system: bytesOf(system),
    task: bytesOf(task),
    context: bytesOf(context),
    message: bytesOf(message),
  };
}

export function totalBytes({
  prompt,
  systemFlag = '',
}: {
  prompt: string;
  systemFlag?: string | undefined;
}): number {
  return bytesOf(prompt) + bytesOf(systemFlag);
}

/** The history after `dropped` messages went: the oldest first, a pinned one last. */
export function historyWithout(
  { contextMessages, firstIsPinned = false }: AssemblerInput,
  dropped: number,
): readonly PromptContextMessage[] {
  if (dropped === 0 || dropped >= contextMessages.length) return dropped === 0 ? contextMessages : [];
  return firstIsPinned
    ? [...contextMessages.slice(0, 1), ...contextMessages.slice(dropped + 1)]
    : contextMessages.slice(dropped);
}

/**
 * What decision 7 asks for, found by trying: whole prompts with fewer and fewer messages, then shorter and shorter
 * current messages. Null stands for PromptBudgetError.
 */
export function renderWithinBudget(dialect: Dialect, input: AssemblerInput) {
  const count = input.contextMessages.length;
  for (let dropped = 0; dropped <= count; dropped++) {
    const whole = renderWhole(dialect, { ...input, contextMessages: historyWithout(input, dropped) });
    if (totalBytes(whole) > input.maxBytes) continue;
    if (dropped > 0 && whole.prompt === '') return null;
    return toOutput(whole, dropped, 0);
  }
  return cutMessage(dialect, { ...input, contextMessages: [] }, count);
}

function cutMessage(dialect: Dialect, input: AssemblerInput, dropped: number) {
  const message = input.currentMessage.trim();
  const bytes = bytesOf(message);
  const besideMessage = totalBytes(renderWhole(dialect, input)) - bytes;
  let kept = bytes;
  for (const character of [...message].reverse()) {
    kept -= bytesOf(character);
    if (kept < 64) return null;
    const mark = `\n[… ${bytes - kept} bytes cut]`;
    if (besideMessage + kept + bytesOf(mark) > input.maxBytes) continue;
    const currentMessage = beginningOf(message, kept) + mark;
    return toOutput(renderWhole(dialect, { ...input, currentMessage }), dropped, bytes - kept);
  }
  return null;
}

function beginningOf(text: string, bytes: number): string {
  let result = '';
  let size = 0;
  for (const character of text) {
    size += bytesOf(character);
    if (size > bytes) break;
    result += character;
  }
  return result;
}

function toOutput(
  { prompt, systemFlag, measureSections }: ReturnType<typeof renderWhole>,
  droppedMessages: number,
  cutBytes: number,
) {
  if (droppedMessages === 0 && cutBytes === 0) return { prompt, systemFlag };
  return { prompt, systemFlag, trim: { droppedMessages, cutBytes, sections: measureSections() } };
}
