import { describe, expect, test } from 'vitest';
import { installMarkingAgent, type MarkingAgent } from './markingAgent.js';
import { createMachine, type Machine, teamFile } from './runHuddle.js';

interface Scene {
  readonly machine: Machine;
  readonly agent: MarkingAgent;
}

/** A machine whose Claude Code notes how it is started, and a trusted team. */
async function setUp(agents: Readonly<Record<string, object>>): Promise<Scene> {
  const machine = createMachine();
  const agent = installMarkingAgent(machine, 'bin/claude');
  machine.write('huddle.jsonc', teamFile(agents));
  await machine.trust();
  return { machine, agent };
}

const max = { agentType: 'claude', permission: 'full', allow: ['Bash(npm test)'], model: 'sonnet' };
/** Every word of the last start: prompts have several lines. */
const lastStart = ({ agent }: Scene): string => agent.starts().join('\n').split(/^-p /mu).at(-1) ?? '';

describe('--model', () => {
  test('is for one run, and asks for no new trust', async () => {
    const scene = await setUp({ max, sarah: { ...max, model: 'haiku' } });
    const { code, stderr } = await scene.machine.run(['run', 'Go.', '--model', 'MAX=opus']);
    expect(code).toBe(0);
    expect(stderr).toContain('Model in this run: max uses opus.\n');
    expect(lastStart(scene)).toContain('--model opus');
    await scene.machine.run(['run', 'Go. [NEXT: sarah]', '--model', 'max=opus']);
    expect(lastStart(scene)).toContain('--model haiku');
    await scene.machine.run(['resume', '--final', '--model=sarah=opus', '--file', 'huddle.jsonc']);
    await scene.machine.run(['run', 'Go.']);
    expect(lastStart(scene)).toContain('--model sonnet');
  });

  test('needs no name where there is one agent', async () => {
    const scene = await setUp({ max });
    expect((await scene.machine.run(['-m', 'opus', 'Go on.'])).code).toBe(0);
    expect(lastStart(scene)).toContain('--model opus');
  });

  test.each([
    ['opus', 'This team has several agents. Name one: --model max=opus (agents: max, bob).'],
    ['mx=opus', 'No agent "mx" in this team. Did you mean max?'],
    ['kim=opus', 'No agent "kim" in this team. Agents: max, bob.'],
    ['bob=opus', 'bob (Command) takes no model.'],
    ['max=', '"max=" names no model. Write --model member=name, such as max=opus.'],
    ['max=--flag', '"max=--flag" names no model. Write --model member=name, such as max=opus.'],
  ])('%s is refused before anything is asked or started', async (model, message) => {
    const machine = createMachine();
    const agent = installMarkingAgent(machine, 'bin/claude');
    machine.write('huddle.jsonc', teamFile({ max, bob: { agentType: 'command', command: ['node'] } }));
    const { code, stderr } = await machine.run(['run', 'Go.', '--model', model]);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: `error[USAGE]: ${message} See: huddle run --help\n`,
    });
    expect(agent.starts()).toEqual([]);
  });
});

describe('--read-only', () => {
  test('starts agents as a team file without any permission does', async () => {
    const free = await setUp({ max });
    const { stderr } = await free.machine.run(['run', 'Go.', '--read-only']);
    expect(stderr).toContain('Read-only in this run: max.\n');
    const limited = await setUp({ max: { ...max, permission: 'read', allow: [] } });
    await limited.machine.run(['run', 'Go.']);
    const withoutFiles = (scene: Scene) => lastStart(scene).replaceAll(scene.machine.folder, '');
    expect(withoutFiles(free)).toBe(withoutFiles(limited));
    expect(lastStart(free)).not.toContain('npm test');
    await free.machine.run(['run', 'Go.']);
    expect(lastStart(free)).toContain('npm test');
  });

  test('asks to trust what the team file says, which is what stays trusted', async () => {
    const machine = createMachine();
    machine.write('huddle.jsonc', teamFile({ max }));
    const { code, stderr } = await machine.run(['run', 'Go.', '--read-only', '--model', 'opus']);
    expect(code).toBe(77);
    expect(stderr).toContain('full access (no sandbox), environment');
    expect(stderr).toContain('model "sonnet"');
  });

  test('warns of programs that nothing holds to it', async () => {
    const scene = await setUp({ bob: { agentType: 'command', command: ['node', '-e', 'console.log(1)'] } });
    const { stderr } = await scene.machine.run(['run', 'Go.', '--read-only']);
    expect(stderr).toContain(
      'warning: --read-only does not hold bob: that program runs as you (no sandbox).\n',
    );
    expect(stderr).not.toContain('Read-only in this run');
  });
});
