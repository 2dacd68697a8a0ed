import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { findDefinition } from '../compiled/agents/definitions.js';
import type { AgentEvent } from '../compiled/models/AgentEvent.js';
import type { TurnOutcome } from '../compiled/models/TurnOutcome.js';
import type { SimulatorName } from '../test/simulators/simulators.js';
import { bundleVendorAgent, vendorCommand } from '../test/simulators/vendorCommand.js';
import type { RealCli } from './clis.js';
import { type Behaviour, say, useThenSay } from './model/Reply.js';
import { type PlayedTurn, playTurn, type TurnWish } from './turns.js';
import { useWorkshop } from './workshop.js';

const ANSWER = 'Hello from the model.';
const UNKNOWN = { kind: 'resume', sessionId: '00000000-0000-4000-8000-000000000000' } as const;

/** The same turn twice: what the model does for the real CLI, and the script of its simulator. */
interface Scene {
  readonly behaviour: Behaviour;
  readonly script: object;
  readonly wish?: Partial<TurnWish>;
}

function scenesOf({ commandTool }: RealCli): Readonly<Record<string, Scene>> {
  const refuse =
    (status: number): Behaviour =>
    () => ({ kind: 'refuse', status });
  const command = 'echo hi';
  return {
    'an answer': { behaviour: () => say(ANSWER), script: { text: [ANSWER] } },
    'a command and an answer': {
      behaviour: useThenSay([{ kind: 'run', command }], ANSWER),
      script: {
        text: ['I will use a tool.', ANSWER],
        tools: [{ name: commandTool, input: command, result: 'hi' }],
      },
      wish: { permission: 'full' },
    },
    'a refused key': { behaviour: refuse(401), script: { failure: 'auth' } },
    'a rate limit': { behaviour: refuse(429), script: { failure: 'rate-limit' } },
    'a fault of the service': { behaviour: refuse(500), script: { failure: 'server-error' } },
    'a broken connection': {
      behaviour: () => ({ kind: 'say', pieces: [ANSWER], ending: 'cut' }),
      script: { text: [ANSWER], failure: 'cut' },
    },
    'an unknown session': { behaviour: () => say('Never said.'), script: {}, wish: { session: UNKNOWN } },
    // Last: Gemini CLI leaves a lock behind here, for which its next start waits up to half a minute.
    'a missing login': {
      behaviour: () => say('Never said.'),
      script: { failure: 'not-logged-in' },
      wish: { withoutKeys: true },
    },
  };
}

/** Tests on a simulated CLI prove something only as long as it goes like the real one. */
export function proveSimulator(cli: RealCli): void {
  describe(`the simulator of ${findDefinition(cli.agentType)?.label}`, () => {
    const workshop = useWorkshop([cli]);
    let simulator: string;
    beforeAll(async () => {
      simulator = await bundleVendorAgent(workshop().home);
    });

    it.each(Object.entries(scenesOf(cli)))('plays %s as the CLI does', async (name, scene) => {
      const { model, home } = workshop();
      const wish = { prompt: 'Say hello.', ...scene.wish };
      const stateFolder = join(home, 'simulated', name);
      model.behave(scene.behaviour);
      const real = await playTurn(cli, workshop(), wish);
      const told = { memberName: 'ada', script: [scene.script], stateFolder };
      const command = vendorCommand(simulator, cli.command as SimulatorName, told);
      const simulated = await playTurn(cli, workshop(), { ...wish, command });
      expect(storyOf(simulated)).toEqual(storyOf(real));
    });
  });
}

/** What happened in a turn, without what is never the same: ids, times, how often, and the vendor's sentences. */
function storyOf({ events }: PlayedTurn): string[] {
  const steps = events.map(describeEvent);
  return steps.filter((step, index) => step !== steps[index - 1]);
}

function describeEvent(event: AgentEvent): string {
  switch (event.type) {
    case 'text':
      return `says ${event.text}`;
    case 'tool-start':
      return `starts ${event.name}`;
    case 'tool-end':
      return `ends ${event.name}: ${event.ok}, ${event.result}`;
    case 'retry':
      return `tries again after ${event.status}`;
    case 'usage':
      return `took ${Object.keys(event.usage)}, in all ${Object.keys(event.sessionTotals ?? {})}`;
    case 'session':
      return `is in a session, model said: ${event.model !== undefined}`;
    case 'end':
      return `ended ${describeEnd(event.outcome)}`;
    default:
      return event.type;
  }
}

function describeEnd(outcome: TurnOutcome): string {
  if (outcome.kind === 'completed') return `well: ${outcome.text}`;
  const reason = outcome.kind === 'failed' ? `${outcome.failure.code}: ${outcome.failure.reason}` : '';
  return `${outcome.kind} ${reason}, draft: ${outcome.draft}`;
}
