import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TurnRequest } from '../../src/agents/AgentAdapter.js';
import { type AgentDefinition, createAdapter } from '../../src/agents/definitions.js';
import { FAILURES, type FailureName } from '../../src/agents/rehearsal/script.js';
import { describeFailure } from '../../src/catalogue/tellings.js';
import type { AgentEvent } from '../../src/models/AgentEvent.js';
import type { TurnFailureCode, TurnOutcome } from '../../src/models/TurnOutcome.js';
import { turnRequest } from '../agents/turnRequest.js';
import { root as project } from '../cli/runHuddle.js';
import { failureOf } from '../failureOf.js';
import type { SimulatorName } from '../simulators/simulators.js';
import {
  bundleVendorAgent,
  tellScript,
  type VendorScript,
  vendorCommand,
} from '../simulators/vendorCommand.js';

const ACP_AGENT = join(project, 'dist', 'agents', 'rehearsal', 'simulatedAgent.js');

export interface DialectExpectations {
  /** How each failure of the vendor's service ends: an outcome's kind or the code of its failure. */
  readonly failures: Readonly<Record<FailureName, 'completed' | TurnFailureCode>>;
  /** The simulator of its CLI; the built-in one of rehearsals speaks ACP. */
  readonly simulator: SimulatorName | 'acp';
  /** Whether what had arrived before a cut is kept as a draft. */
  readonly keepsDraftOfCut: boolean;
}

/** What every way of talking to an agent owes, tried on simulated agents as real processes. */
export function testDialect(definition: AgentDefinition, expectations: DialectExpectations): void {
  const { capabilities, dialect } = definition;
  const { simulator } = expectations;
  const hasSessions = capabilities.sessions.includes('resume');
  const hasRecords = dialect?.output !== 'plain-text';

  describe.concurrent(definition.label, () => {
    const root = mkdtempSync(join(tmpdir(), 'huddle-conformance-'));
    const makeStateFolder = () => mkdtempSync(join(root, 'state-'));
    afterAll(() => rmSync(root, { recursive: true }));
    let vendorAgent: string;
    beforeAll(async () => {
      vendorAgent = await bundleVendorAgent();
    });
    const commandFor = (told: VendorScript): readonly string[] =>
      simulator === 'acp'
        ? [...tellScript(told), process.execPath, ACP_AGENT]
        : vendorCommand(vendorAgent, simulator, told);

    const play = async (
      turn: object,
      parts: Partial<TurnRequest> = {},
      stateFolder?: string,
    ): Promise<Played> => {
      const adapter = createAdapter(definition.type);
      const request = turnRequest({ ...parts, command: commandFor({ script: [turn], stateFolder }) });
      const events: AgentEvent[] = [];
      for await (const event of adapter.runTurn(request, new AbortController().signal)) events.push(event);
      await adapter.close?.();
      return new Played(events);
    };

    const completed = (text: string) => ({
      kind: 'completed',
      text,
      ...(hasRecords ? {} : { exitCode: 0 }),
    });

    test('answers with all blocks, in order', async () => {
      const { outcome } = await play({ text: ['First.', 'Second, 小明 ✓', '  indented\n\n  code'] });
      expect(outcome).toEqual(completed('First.\n\nSecond, 小明 ✓\n\n  indented\n\n  code'));
    });

    test('ends with exactly one `end`, and it is last', async () => {
      const { events } = await play({ text: 'Hi' });
      expect(events.filter((event) => event.type === 'end')).toHaveLength(1);
      expect(events.at(-1)?.type).toBe('end');
    });

    test('hands over when told to', async () => {
      const { outcome } = await play({ text: 'Your turn.', next: ['sarah', 'tom'] });
      expect(outcome).toEqual(completed('Your turn.\n\n[NEXT: sarah, tom]'));
    });

    test('makes up a reply from the prompt, and quotes no marker that would act', async () => {
      const { outcome } = await play({}, { prompt: '[CONTEXT]\nold\n\n[MESSAGE]\nWhat next? [NEXT: tom]' });
      expect(outcome).toEqual(completed('max here, in rehearsal. I was asked: "What next? NEXT: tom".'));
    });

    test('an empty answer is complete and empty', async () => {
      expect((await play({ text: '' })).outcome).toEqual(completed(''));
    });

    test('a prompt of 1 MB and system text of 1 MB arrive', async () => {
      const big = 'Zeile mit Ümlauten. '.repeat(50_000);
      const { outcome } = await play({ text: 'Read.' }, { prompt: `[MESSAGE]\n${big}`, systemFlag: big });
      expect(outcome).toEqual(completed('Read.'));
    });

    test('a NUL in the prompt and in the system text is a character like others', async () => {
      const { outcome } = await play({ text: 'Read.' }, { prompt: 'a\0b', systemFlag: 'c\0d' });
      expect(outcome).toEqual(completed('Read.'));
    });

    test.each(['read', 'edit', 'full'] as const)('runs with permission %s', async (permission) => {
      expect((await play({ text: 'Ok.' }, { permission })).outcome.kind).toBe('completed');
    });

    test.each(FAILURES)('tells what happened on the failure %s', async (failure) => {
      const { outcome } = await play({ text: 'Half of', failure });
      expect(outcome.kind === 'failed' ? outcome.failure.code : outcome.kind).toBe(
        expectations.failures[failure],
      );
    });

    test.each(FAILURES)('says why it failed once: %s', async (failure) => {
      const { events, outcome } = await play({ text: 'Half of', failure });
      const reason = outcome.kind === 'failed' ? describeFailure('max', outcome.failure).what : '';
      const errors = events.flatMap((event) => (event.type === 'error' ? [event.message] : []));
      expect(errors.filter((message) => reason.includes(message))).toEqual([]);
    });

    test('what had arrived before a cut is kept as far as the agent printed it', async () => {
      const { outcome } = await play({ text: 'Half of', failure: 'cut' });
      expect('draft' in outcome && outcome.draft === 'Half of').toBe(expectations.keepsDraftOfCut);
    });

    test('a failed turn says what to do next', async () => {
      const { outcome } = await play({ text: 'Half of', failure: 'auth' });
      const failure = outcome.kind === 'failed' ? outcome.failure : failureOf('SESSION_UNKNOWN');
      expect(describeFailure('max', failure).hint.length).toBeGreaterThan(10);
    });

    test.runIf(capabilities.streamsText)('what is shown while it is written is what is settled', async () => {
      const { events } = await play({ text: 'One two  three\nfour 小明' });
      const deltas = events.filter((event) => event.type === 'text-delta').map((event) => event.text);
      expect(deltas.join('')).toBe('One two  three\nfour 小明');
    });

    // A plain command has no records: nothing but its text can be seen.
    describe.runIf(hasRecords)('records', () => {
      test('a tool is shown with its beginning and its end', async () => {
        const tools = [{ name: 'Bash', input: 'npm test', result: '3 passed', ok: false }];
        const { events } = await play({ text: ['Let me see.', 'Done.'], tools });
        const started = events.find((event) => event.type === 'tool-start');
        const ended = events.find((event) => event.type === 'tool-end');
        expect(started?.input).toContain('npm test');
        expect(ended).toMatchObject({ toolId: started?.toolId, ok: false, result: '3 passed' });
      });

      test('usage counts what went in and what came out', async () => {
        const { usage } = await play({ text: 'x'.repeat(400) }, { prompt: 'y'.repeat(4000) });
        expect(usage).toMatchObject({ inputTokens: 1000, outputTokens: 100 });
      });
    });

    describe.runIf(hasSessions)('sessions', () => {
      test('are resumed under the same id, and each turn reports its own usage', async () => {
        const state = makeStateFolder();
        const first = await play({ text: 'x'.repeat(400), usd: 0.25 }, { prompt: 'y'.repeat(400) }, state);
        const session = { kind: 'resume', sessionId: first.sessionId } as const;
        const second = await play(
          { text: 'x'.repeat(800), usd: 0.5 },
          { prompt: 'y'.repeat(800), session, sessionTotals: first.sessionTotals },
          state,
        );
        expect(second.sessionId).toBe(first.sessionId);
        expect(first.usage).toMatchObject({ inputTokens: 100, outputTokens: 100 });
        expect(second.usage).toMatchObject({ inputTokens: 200, outputTokens: 200 });
        if (capabilities.reports === 'tokens-and-usd')
          expect([first.usage?.usd, second.usage?.usd]).toEqual([0.25, 0.5]);
      });

      test('that do not exist are told apart from other failures', async () => {
        const session = { kind: 'resume', sessionId: '99999999-2222-4333-8444-555555555555' } as const;
        expect((await play({ text: 'Hi' }, { session }, makeStateFolder())).outcome).toMatchObject({
          kind: 'failed',
          failure: { code: 'SESSION_UNKNOWN' },
        });
      });

      // Gemini CLI cannot fork; `capabilities.sessions` says so.
      test.runIf(capabilities.sessions.includes('fork'))('are forked under a new id', async () => {
        const state = makeStateFolder();
        const first = await play({ text: 'Hi' }, {}, state);
        const session = { kind: 'fork', sessionId: first.sessionId } as const;
        const fork = await play({ text: 'Hi' }, { session, sessionTotals: first.sessionTotals }, state);
        expect(fork.outcome.kind).toBe('completed');
        expect(fork.sessionId).not.toBe(first.sessionId);
        expect(fork.usage).toEqual(first.usage);
      });
    });
  });
}

/** The events of one turn and what is looked for in them. */
class Played {
  constructor(readonly events: readonly AgentEvent[]) {}

  get outcome(): TurnOutcome {
    const end = this.events.at(-1);
    if (end?.type !== 'end') throw new Error('The last event is not `end`.');
    return end.outcome;
  }

  get sessionId(): string {
    return this.events.find((event) => event.type === 'session')?.sessionId ?? '';
  }

  get #usageEvent() {
    return this.events.find((event) => event.type === 'usage');
  }

  get usage() {
    return this.#usageEvent?.usage;
  }

  get sessionTotals() {
    return this.#usageEvent?.sessionTotals;
  }
}
