import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findDefinition } from '../compiled/agents/definitions.js';
import { CUT_TEXT, type Deeds, type ExpectedEnd, type FailureCase, type RealCli } from './clis.js';
import { countIn } from './model/ModelRequest.js';
import { type Reply, say, type ToolUse, USAGE, useThenSay } from './model/Reply.js';
import { eventsOf, type PlayedTurn, playTurn, type TurnWish } from './turns.js';
import { useWorkshop } from './workshop.js';

const PERMISSIONS = ['read', 'edit', 'full'] as const;

/** How the model misbehaves in each case. */
const MISHAPS: Readonly<Record<FailureCase, Reply>> = {
  401: { kind: 'refuse', status: 401 },
  429: { kind: 'refuse', status: 429 },
  500: { kind: 'refuse', status: 500 },
  cut: { kind: 'say', pieces: [CUT_TEXT], ending: 'cut' },
};

/** One turn after the other of one real CLI through its adapter. */
export function proveTurns(cli: RealCli): void {
  const definition = findDefinition(cli.agentType);
  if (definition === undefined) throw new Error(`There is no agent type ${cli.agentType}.`);
  const { capabilities, label } = definition;
  const { listEntries } = cli;
  const canFork = capabilities.sessions.includes('fork');

  describe(`one turn of ${label}`, () => {
    const workshop = useWorkshop([cli]);
    const model = () => workshop().model;
    const play = (wish: TurnWish): Promise<PlayedTurn> => playTurn(cli, workshop(), wish);

    it('answers with the words of the model, and says its session and what it took', async () => {
      model().behave(() => say('Hello from the model.'));
      const turn = await play({ prompt: 'Say hello.' });
      expect(turn.outcome).toEqual({ kind: 'completed', text: 'Hello from the model.' });
      expect(turn.sessionId).toMatch(/^[\da-f-]{36}$/);
      expect(eventsOf(turn, 'usage').map(({ usage }) => usage)).toEqual([usageOf(1, capabilities.reports)]);
      expect(model().received.map(({ userTexts }) => userTexts.at(-1))).toEqual(['Say hello.']);
    });

    it(`shows its answer ${capabilities.streamsText ? 'piece by piece' : 'in one piece'}`, async () => {
      const pieces = ['First, ', 'ünïcode ✓, ', 'a line\nbreak, ', '{"json":true} ', 'and 我们.'];
      model().behave(() => say(...pieces));
      const turn = await play({ prompt: 'Say it slowly.' });
      expect(turn.outcome).toEqual({ kind: 'completed', text: pieces.join('') });
      const deltas = eventsOf(turn, 'text-delta').map(({ text }) => text);
      expect(deltas.join('')).toBe(capabilities.streamsText ? pieces.join('') : '');
      if (capabilities.streamsText) expect(deltas.length).toBeGreaterThan(1);
    });

    it('tells of a tool call, gives the model its result, and goes on', async () => {
      model().behave(useThenSay([{ kind: 'run', command: 'echo the-tool-ran' }], 'It ran.'));
      const turn = await play({ prompt: 'Run it.', permission: 'full' });
      expect(turn.outcome).toEqual({ kind: 'completed', text: expect.stringMatching(/It ran\.$/) });
      const [start] = eventsOf(turn, 'tool-start');
      expect(start?.input).toContain('echo the-tool-ran');
      expect(eventsOf(turn, 'tool-end')).toMatchObject([
        { toolId: start?.toolId, name: start?.name, ok: true },
      ]);
      expect(model().received.at(-1)?.toolResults.join()).toContain('the-tool-ran');
      expect(eventsOf(turn, 'usage').map(({ usage }) => usage)).toEqual([usageOf(2, capabilities.reports)]);
    });

    /** The model wants to write in the folder, write outside, and run a command. */
    async function tryAll(name: string, wish: Partial<TurnWish>): Promise<Deeds> {
      const inside = join(workshop().workingFolder, `inside-${name}.txt`);
      const outside = join(workshop().outside, `outside-${name}.txt`);
      const ran = join(workshop().workingFolder, `ran-${name}.txt`);
      const tools: readonly ToolUse[] = [
        { kind: 'write', path: inside, text: 'in' },
        { kind: 'write', path: outside, text: 'out' },
        { kind: 'run', command: `node -e 'fs.writeFileSync("${ran}", "ran")'` },
      ];
      model().behave(useThenSay(tools, 'That was all.'));
      const { outcome } = await play({ prompt: 'Do it all.', ...wish });
      expect(outcome).toEqual({ kind: 'completed', text: expect.stringMatching(/That was all\.$/) });
      return {
        writesInside: existsSync(inside),
        writesOutside: existsSync(outside),
        runsCommands: existsSync(ran),
      };
    }

    it.each(PERMISSIONS)(
      'with the permission %s does what that allows and nothing else',
      async (permission) => {
        expect(await tryAll(permission, { permission })).toEqual(cli.deeds[permission]);
      },
    );

    if (listEntries !== undefined) {
      it('does what the list of allowed tools adds to its permission', async () => {
        const wish = { permission: 'edit', allow: [listEntries.command] } as const;
        expect(await tryAll('allow', wish)).toEqual({ ...cli.deeds.edit, runsCommands: true });
      });

      it('does not do what the list of denied tools takes from its permission', async () => {
        const wish = { permission: 'full', deny: [listEntries.write] } as const;
        const { full } = cli.deeds;
        expect(await tryAll('deny', wish)).toEqual({ ...full, writesInside: false, writesOutside: false });
      });
    }

    it('resumes a session: the model gets the earlier words once and then the new ones', async () => {
      model().behave(() => say('Noted.'));
      const first = await play({ prompt: 'Remember the word marigold.' });
      const totals = eventsOf(first, 'usage')[0]?.sessionTotals;
      const session = { kind: 'resume', sessionId: first.sessionId } as const;
      const second = await play({
        prompt: 'Which word was it?',
        session,
        ...(totals && { sessionTotals: totals }),
      });
      expect(second.outcome).toEqual({ kind: 'completed', text: 'Noted.' });
      expect(second.sessionId).toBe(first.sessionId);
      expect(eventsOf(second, 'usage').map(({ usage }) => usage)).toEqual([usageOf(1, capabilities.reports)]);
      const request = model().received[1];
      expect(request?.userTexts.at(-1)).toBe('Which word was it?');
      expect(countIn(request, 'Remember the word marigold.')).toBe(1);
    });

    if (canFork)
      it('forks a session: what is said in the fork is not in the session', async () => {
        model().behave(() => say('Noted.'));
        const { sessionId } = await play({ prompt: 'Remember the word marigold.' });
        const fork = await play({ prompt: 'In the fork: cornflower.', session: { kind: 'fork', sessionId } });
        const after = await play({ prompt: 'Which words?', session: { kind: 'resume', sessionId } });
        expect(fork.sessionId).not.toBe(sessionId);
        expect(after.sessionId).toBe(sessionId);
        const [, inFork, afterwards] = model().received;
        expect(countIn(inFork, 'marigold')).toBe(1);
        expect([countIn(afterwards, 'marigold'), countIn(afterwards, 'cornflower')]).toEqual([1, 0]);
      });
    else
      it('refuses to fork a session, which this CLI cannot do', async () => {
        const fork = play({ prompt: 'Hello?', session: { kind: 'fork', sessionId: 'any' } });
        await expect(fork).rejects.toMatchObject({ code: 'INVALID_OPTION' });
      });

    it('says that it does not know a session, and asks the model nothing', async () => {
      model().behave(() => say('Never said.'));
      const session = { kind: 'resume', sessionId: '00000000-0000-4000-8000-000000000000' } as const;
      const { outcome } = await play({ prompt: 'Hello?', session });
      expect(outcome).toMatchObject({ kind: 'failed', failure: { code: 'SESSION_UNKNOWN' }, draft: '' });
      expect(model().received).toEqual([]);
    });

    it.each(Object.entries(cli.failures))(
      'says how it ended when the service fails with %s',
      async (name, expected) => {
        model().behave(() => MISHAPS[name as FailureCase]); // The keys of a record of these.
        const { outcome } = await play({ prompt: 'Hello?' });
        expect(outcome).toMatchObject(describeEnd(expected));
      },
    );

    it('is cancelled while the model is silent', async () => {
      model().behave(() => ({ kind: 'hang' }));
      const cancel = new AbortController();
      const turn = play({ prompt: 'Think for ever.', signal: cancel.signal });
      await model().nextRequest();
      cancel.abort();
      expect((await turn).outcome).toEqual({ kind: 'cancelled', draft: '' });
    });

    if (capabilities.streamsText)
      it('is cancelled in the middle of a sentence, which stays as a draft', async () => {
        model().behave(() => ({ kind: 'say', pieces: ['Once upon', ' a time'], ending: 'hang' }));
        const cancel = new AbortController();
        const turn = await play({
          prompt: 'Tell me a story.',
          signal: cancel.signal,
          watch: (event) => event.type === 'text-delta' && event.text.endsWith('time') && cancel.abort(),
        });
        expect(turn.outcome).toEqual({ kind: 'cancelled', draft: 'Once upon a time' });
      });

    it('is cancelled while a command runs, which ends with it', async () => {
      model().behave(useThenSay([{ kind: 'run', command: 'tail -f /dev/null' }], 'Never said.'));
      const cancel = new AbortController();
      const turn = play({
        prompt: 'Wait for ever.',
        permission: 'full',
        signal: cancel.signal,
        watch: (event) => event.type === 'tool-start' && cancel.abort(),
      });
      expect((await turn).outcome).toMatchObject({ kind: 'cancelled' });
    });

    it('takes a prompt of 700 KB, all of which reaches the model', async () => {
      model().behave(() => say('Read.'));
      const prompt = numberedLines(700_000);
      const { outcome } = await play({ prompt });
      expect(outcome).toEqual({ kind: 'completed', text: 'Read.' });
      expect(model().received.at(-1)?.userTexts.at(-1) === prompt).toBe(true);
    });
  });
}

/** What the adapter must report after so many requests; money is whatever the CLI makes of it. */
function usageOf(requests: number, reports: string): object {
  return {
    inputTokens: requests * (USAGE.input + USAGE.cached),
    cachedInputTokens: requests * USAGE.cached,
    outputTokens: requests * USAGE.output,
    ...(reports === 'tokens-and-usd' && { usd: expect.any(Number) }),
  };
}

function describeEnd(expected: ExpectedEnd): object {
  if (expected.kind === 'completed') return expected;
  return { kind: 'failed', failure: { code: expected.code }, draft: expected.draft };
}

/** Text in which no line is like another, so that nothing takes it for a loop and a gap would show. */
export function numberedLines(bytes: number): string {
  const lines = Array.from(
    { length: Math.ceil(bytes / 20) },
    (_, index) => `Line ${String(index).padStart(14, '0')}`,
  );
  return lines.join('\n').slice(0, bytes);
}
