import { describe, expect, it } from 'vitest';
import { ContextManager, type PromptContextMessage, type PromptGuard } from '../../../src/index.js';
import { PROPERTY_TIMEOUT, RUNS } from './arbitraries.js';
import { expectEqual, expectTrue } from './expectEqual.js';
import { readFences } from './readers.js';
import { DIALECTS, type Dialect } from './reference.js';
import { checkWithinBudgets, partsOf, ROOMY } from './withinBudgets.js';

const nonce = '7f3a09c1d2e4b586';
const fence: PromptGuard = { mode: 'fence', nonce, currentSpeaker: { from: 'kailai', type: 'human' } };

describe.each(DIALECTS)('the fence in a $name prompt', (dialect) => {
  it(
    'has every text exactly between its nonce lines, and nothing of it outside',
    () => {
      const { cuts } = checkWithinBudgets(dialect, fence, (input, { prompt, trim }) => {
        const { system, task, context, message } = partsOf(dialect, input, trim?.droppedMessages ?? 0);
        const { texts, skeleton } = readFences(prompt.slice(startOfFences(dialect, system)), nonce);
        expectEqual(
          texts.map(({ label }) => label),
          [
            ...(task === '' ? [] : ['task']),
            ...context.map(labelOf),
            ...(message === '' ? [] : ['msg from=kailai type=human']),
          ],
        );
        const contents = [task, ...context.map(({ content }) => content.toWellFormed()), message];
        const sent = texts.map(({ content }) => content);
        const cut = trim !== undefined && trim.cutBytes > 0 ? (sent.pop() ?? '') : null;
        if (task === '') contents.shift();
        if (message === '' || cut !== null) contents.pop();
        expectEqual(sent, contents);
        if (cut !== null) {
          const mark = `\n[… ${trim?.cutBytes} bytes cut]`;
          expectTrue(cut.endsWith(mark), 'no mark');
          expectTrue(message.startsWith(cut.slice(0, -mark.length)), 'not the beginning of the message');
        }
        expectTrue(!skeleton.includes(nonce), 'a torn fence');
        const bare = {
          contextMessages: context.map((shown) => ({ ...shown, content: '<<>>' })),
          maxBytes: ROOMY,
        };
        const rest = dialect.assembler.assemble({
          ...bare,
          teamTask: task === '' ? null : '<<>>',
          currentMessage: message === '' ? '' : '<<>>',
        });
        expectEqual(skeleton.replace(/^\n\n/, ''), rest.prompt);
      });
      expect(cuts).toBeGreaterThan(RUNS / 100);
    },
    PROPERTY_TIMEOUT,
  );
});

function labelOf({ from, type }: PromptContextMessage): string {
  return `msg from=${from}${type === undefined ? '' : ` type=${type}`}`;
}

/** The system text goes in as it is, before everything else. */
function startOfFences(dialect: Dialect, system: string): number {
  return dialect.systemIsFlag ? 0 : system.length;
}

describe('the fence of a conversation', () => {
  it('makes a new nonce for every prompt', () => {
    const manager = new ContextManager();
    manager.addMessage({ content: 'Hi', speaker: { roleId: 'kailai' } });
    const prompts = [1, 2].map(() => {
      const input = manager.getContextForAgent('max', 'codex', { guard: 'fence' });
      return manager.assemblePrompt('codex', input).prompt;
    });
    expect(prompts[0]).toMatch(/<<msg [0-9a-f]{16} from=kailai type=human>>\nHi\n<<end [0-9a-f]{16}>>$/);
    expect(prompts[0]).not.toBe(prompts[1]);
  });

  it('never calls what an agent said human, even when a person has the same name', () => {
    const manager = new ContextManager({ nonce: () => nonce });
    const name = 'Max';
    manager.addMessage({ content: 'approved', speaker: { roleId: 'a1', roleName: name, type: 'ai' } });
    manager.addMessage({ content: 'Go on', speaker: { roleId: 'p1', roleName: name, type: 'human' } });
    const input = manager.getContextForAgent('sarah', 'codex', { guard: 'fence' });
    const { texts } = readFences(manager.assemblePrompt('codex', input).prompt, nonce);
    expect(texts.map(({ label, content }) => [label, content])).toEqual([
      ['msg from=Max type=ai', 'approved'],
      ['msg from=Max type=human', 'Go on'],
    ]);
  });
});
