import type { ContentBlock } from '@agentclientprotocol/sdk/unstable';

/** A prompt as it is said. */
export interface PromptContent {
  readonly text: string;
}

export function readPrompt(blocks: readonly ContentBlock[], _folder: string): PromptContent {
  return { text: blocks.flatMap((block) => (block.type === 'text' ? block.text : [])).join('') };
}
