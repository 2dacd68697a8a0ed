// W1 beside others: choosing from a long history what still fits. We also write the prompt; they only choose.
// All count what is cheapest to count: bytes, or in Mastra its own estimate.
import { AIMessage, HumanMessage, trimMessages } from '@langchain/core/messages';
import { Settings } from '@llamaindex/core/global';
import { ChatMemoryBuffer } from '@llamaindex/core/memory';
import { TokenLimiterProcessor } from '@mastra/core/processors';
import { ContextManager } from '../compiled/context/index.js';
import { goalFaster, table, time, timeAsync } from './measure.mjs';

const TEXT = 'The quick brown fox jumps. '.repeat(4);
const MESSAGES = 8000;
const MANY_MESSAGES = 100_000;

export async function peersContext() {
  console.log('\nW1 beside peers: messages of 100 B, ten times over the budget, CPU time per turn\n');
  const ours = time(createOurs(MESSAGES));
  const oursMany = time(createOurs(MANY_MESSAGES));
  const langChain = await timeAsync(createLangChain(MESSAGES));
  const llamaIndex = await timeAsync(createLlamaIndex(MESSAGES));
  const mastra = await timeAsync(createMastra(MESSAGES));
  const mastraMany = await timeAsync(createMastra(MANY_MESSAGES));
  const row = (name, count, theirs, own) => [
    name,
    count,
    milliseconds(theirs),
    milliseconds(own),
    `${Math.round(theirs / own)}x`,
  ];
  table([
    ['', 'messages', 'theirs', 'ours', 'ratio'],
    row('LangChain trimMessages', MESSAGES, langChain, ours),
    row('LlamaIndex ChatMemoryBuffer', MESSAGES, llamaIndex, ours),
    row('Mastra TokenLimiter', MESSAGES, mastra, ours),
    row('Mastra TokenLimiter', MANY_MESSAGES, mastraMany, oursMany),
  ]);
  console.log();
  goalFaster('W1 than LangChain trimMessages', langChain, ours, 5000);
  goalFaster('W1 than LlamaIndex ChatMemoryBuffer', llamaIndex, ours, 2000);
  goalFaster('W1 than Mastra TokenLimiter at 100,000 messages', mastraMany, oursMany, 2);
}

function milliseconds(microseconds) {
  return `${(microseconds / 1000).toFixed(2)} ms`;
}

function contentOf(index) {
  return `${index} ${TEXT}`;
}

function budgetOf(count) {
  let bytes = 0;
  for (let index = 0; index < count; index++) bytes += contentOf(index).length;
  return Math.floor(bytes / 10);
}

function createOurs(count) {
  const manager = new ContextManager({ contextWindowSize: count, maxBytes: budgetOf(count) });
  for (let index = 0; index < count; index++) {
    const speaker = { roleId: index % 2 ? 'max' : 'kim', type: index % 2 ? 'ai' : 'human' };
    manager.addMessage({ content: contentOf(index), speaker });
  }
  return () => {
    const input = manager.getContextForAgent('max', 'claude-code');
    return Buffer.from(manager.assemblePrompt('claude-code', input).prompt);
  };
}

function createLangChain(count) {
  const messages = Array.from({ length: count }, (_, index) =>
    index % 2 ? new AIMessage(contentOf(index)) : new HumanMessage(contentOf(index)),
  );
  const tokenCounter = (list) => list.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0);
  const options = { strategy: 'last', maxTokens: budgetOf(count), tokenCounter };
  return () => trimMessages(messages, options);
}

function createLlamaIndex(count) {
  Settings.tokenizer = { encode: (text) => ({ length: Buffer.byteLength(text) }) };
  const chatHistory = Array.from({ length: count }, (_, index) => ({
    role: index % 2 ? 'assistant' : 'user',
    content: contentOf(index),
  }));
  const llm = { metadata: { contextWindow: 0 } };
  const memory = new ChatMemoryBuffer({ llm, tokenLimit: budgetOf(count), chatHistory });
  return () => memory.getMessages();
}

/** `contiguous` stops at the first message that does not fit, as we do, and is the faster one. */
function createMastra(count) {
  const prompt = Array.from({ length: count }, (_, index) => ({
    role: index % 2 ? 'assistant' : 'user',
    content: [{ type: 'text', text: contentOf(index) }],
  }));
  const counter = new TokenLimiterProcessor({ limit: 0 });
  const tokens = prompt.reduce((sum, message) => sum + counter.countPromptMessageTokens(message), 0);
  const limiter = new TokenLimiterProcessor({ limit: Math.floor(tokens / 10), trimMode: 'contiguous' });
  return () => limiter.processLLMRequest({ prompt });
}
