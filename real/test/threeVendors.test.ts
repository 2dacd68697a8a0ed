import { execFile } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { REAL_CLIS } from '../clis.js';
import { countIn, type ModelRequest } from '../model/ModelRequest.js';
import { type Reply, say, USAGE } from '../model/Reply.js';
import { useWorkshop } from '../workshop.js';

const runFile = promisify(execFile);
const program = fileURLToPath(new URL('../../dist/cli/huddle.js', import.meta.url));

const TEAM = {
  version: 1,
  name: 'auth-squad',
  task: 'Design a login that nobody can break.',
  members: [
    { name: 'kim', type: 'human' },
    { name: 'max', type: 'ai', agentType: 'claude', title: 'Architect', memory: 'session' },
    { name: 'sarah', type: 'ai', agentType: 'codex', title: 'Developer', memory: 'session' },
    { name: 'carol', type: 'ai', agentType: 'gemini', title: 'Reviewer', model: REAL_CLIS.gemini.model },
  ],
};

/** What each member says, first and after the question that comes later; every hand-over is the model's own. */
const LINES: Readonly<Record<string, readonly string[]>> = {
  max: ['Use passkeys.\n\n[NEXT: sarah]', 'Then add a lockout.\n\n[NEXT: sarah]'],
  sarah: ['Built with passkeys.\n\n[NEXT: carol]', 'The lockout is in.\n\n[NEXT: carol]'],
  carol: ['Reviewed, one finding: no lockout.', 'Reviewed, nothing left.'],
};

describe('a conversation of Claude Code, Codex and Gemini CLI in one command', () => {
  const workshop = useWorkshop(Object.values(REAL_CLIS));

  async function huddle(...args: readonly string[]): Promise<{ stdout: string; stderr: string }> {
    const { workingFolder, environment } = workshop();
    const running = runFile(process.execPath, [program, ...args], { cwd: workingFolder, env: environment });
    running.child.stdin?.end();
    return running;
  }

  it('finds all three in the versions that the adapters were made for', async () => {
    await huddle('trust', '--yes');
    const { stdout } = await huddle('doctor', '--json');
    const agents: readonly Record<string, unknown>[] = JSON.parse(stdout).agents;
    const versions = agents.map(({ label, version }) => [label, version]);
    const tested = agents.map(({ label, testedVersion }) => [label, testedVersion]);
    for (const label of ['Claude Code', 'Codex', 'Gemini CLI'])
      expect(versions.find(([name]) => name === label)).toEqual(tested.find(([name]) => name === label));
  });

  it('hands over from one vendor to the next until nobody is named', async () => {
    writeFileSync(join(workshop().workingFolder, 'huddle.jsonc'), JSON.stringify(TEAM));
    workshop().model.behave(answerOf(0));
    const { stdout } = await huddle('run', 'How shall people log in? [NEXT: max]', '--trust');
    expect(speakersIn(stdout)).toEqual(['max', 'sarah', 'carol']);
    const [toMax, toSarah, toCarol] = workshop().model.received;
    expect(countIn(toMax, 'How shall people log in?')).toBe(1);
    expect([countIn(toSarah, 'How shall people log in?'), countIn(toSarah, 'Use passkeys.')]).toEqual([1, 1]);
    expect([countIn(toCarol, 'Use passkeys.'), countIn(toCarol, 'Built with passkeys.')]).toEqual([1, 1]);
  });

  it('goes on another day: those with a session are sent what is new, the others the conversation', async () => {
    workshop().model.behave(answerOf(1));
    const { stdout } = await huddle('run', '--continue', 'What about guessing? [NEXT: max]', '--trust');
    expect(speakersIn(stdout)).toEqual(['max', 'sarah', 'carol']);
    const [toMax, toSarah, toCarol] = workshop().model.received;
    expect(promptOf(toMax)).not.toContain('How shall people log in?');
    expect(promptOf(toSarah)).not.toContain('Use passkeys.');
    for (const request of [toMax, toSarah, toCarol])
      expect([
        countIn(request, 'How shall people log in?'),
        countIn(request, 'What about guessing?'),
      ]).toEqual([1, 1]);
  });

  it('knows the usage of each of the six turns', async () => {
    const { stdout } = await huddle('cost', '--json');
    const { turns } = JSON.parse(stdout);
    const usage = {
      inputTokens: USAGE.input + USAGE.cached,
      cachedInputTokens: USAGE.cached,
      outputTokens: USAGE.output,
    };
    const members = ['max', 'sarah', 'carol', 'max', 'sarah', 'carol'];
    expect(turns).toMatchObject(
      members.map((member, index) => ({ turnId: `turn-${index + 1}`, member, ...usage })),
    );
  });

  it('can say of every turn, byte for byte, what its model received', async () => {
    const received = workshop().model.received.map(promptOf);
    const explained = await Promise.all([4, 5, 6].map((turn) => huddle('why', String(turn), '--prompt')));
    expect(explained.map(({ stdout }) => stdout)).toEqual(received);
  });

  it('leaves nothing in the working folder but the team file, and no temporary file of ours', () => {
    const { workingFolder, temporaryFolder } = workshop();
    expect(readdirSync(workingFolder)).toEqual(['huddle.jsonc']);
    expect(readdirSync(temporaryFolder).filter((name) => name.startsWith('huddle-'))).toEqual([]);
  });
});

/** Who is asked is seen in what they are told. */
function answerOf(round: number): (request: ModelRequest) => Reply {
  return (request) => {
    const name = Object.keys(LINES).find((member) => countIn(request, `You are ${member} (`) > 0) ?? '';
    return say(LINES[name]?.[round] ?? 'Who am I?');
  };
}

function promptOf(request: ModelRequest | undefined): string {
  return request?.userTexts.at(-1) ?? '';
}

function speakersIn(printed: string): string[] {
  return [...printed.matchAll(/^(\w+):$/gmu)].map(([, name = '']) => name);
}
