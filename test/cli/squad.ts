import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleVendorAgent } from '../simulators/vendorCommand.js';
import { createMachine, type Machine, teamFile } from './runHuddle.js';

/** A team of three whose programs are simulated, called exactly as the CLIs they stand for. */
export interface Squad {
  readonly machine: Machine;
  /** The next turns of this member do not begin until `release`. */
  hold(name: string): void;
  release(name: string): void;
}

const bundling = bundleVendorAgent();
const PROGRAMS = { max: 'claude', sarah: 'codex', carol: 'gemini' } as const;

/** What everybody says, in order; after the last one it begins again. */
const REPLIES = {
  max: [
    {
      text: [
        'Let me check what the wiki does today.',
        'Three parts, then:\n\n1. a signed cookie with a session id\n2. sessions in **Redis**, one day long\n3. `POST /login`, rate limited\n\n```ts\nconst ttl = 86_400;\nexport const cookie = sign({ id, ttl });\n```\n\nSarah, where does that break?',
      ],
      tools: [
        { name: 'Read', input: 'src/server.ts', result: '120 lines' },
        { name: 'Bash', input: 'npm test -- --run auth', result: '12 passed, 3 skipped' },
      ],
      next: ['sarah'],
      usd: 0.021,
    },
    ...steps('max', 'sarah', ['the key store', 'key rotation', 'the clock', 'the error page', 'the log']),
    { text: 'Plan settled: keys rotate weekly, two are accepted.', next: ['sarah'], usd: 0.011 },
    ...steps('max', 'sarah', ['the last test', 'the summary']),
    { text: 'Then we are done. 谢谢大家！' },
  ],
  sarah: [
    {
      text: [
        'Where the signing key leaks. I tried it:',
        '密钥泄露以后，任何人都可以伪造会话。每周更换密钥，并且同时接受最近的两个密钥，这样用户不会注意到任何变化。\n\nCarol, what would a user notice?',
      ],
      tools: [
        { name: 'shell', input: 'grep -rn "SECRET" src', result: 'src/config.ts:4: SECRET', ok: false },
      ],
      next: ['carol'],
    },
    ...steps('sarah', 'carol', ['storage', 'expiry', 'skew', 'wording', 'retention', 'rotation', 'proof']),
    ...steps('sarah', 'carol', ['release notes']),
  ],
  carol: [
    {
      text: 'Nothing, as long as the old key is accepted while the new one spreads. | step | who |\n|---|---|\n| rotate | cron |\n| accept | server |',
      next: ['max'],
    },
    ...steps('carol', 'max', [
      'the login form',
      'the logout',
      '表单',
      'the wait',
      'the mail',
      'the link',
      'it',
    ]),
    { text: 'I would ship it. 就这样。' },
    { text: 'One thing: a test for clocks that are wrong. 时钟。' },
  ],
};

function steps(name: string, next: string, topics: readonly string[]): object[] {
  return topics.map((topic, index) => ({
    text: `${name} on ${topic}: point ${index + 1} stands, with one change.`,
    next: [next],
    usd: 0.01,
  }));
}

export async function createSquad(more: Readonly<Record<string, unknown>> = {}): Promise<Squad> {
  const machine = createMachine();
  const simulator = await bundling;
  const folder = join(machine.folder, 'squad');
  mkdirSync(folder);
  const replies = join(folder, 'replies.json');
  writeFileSync(replies, JSON.stringify(REPLIES));
  for (const [member, program] of Object.entries(PROGRAMS)) {
    const file = join(machine.folder, 'bin', program);
    writeFileSync(file, simulate({ member, program, folder, replies, simulator }));
    chmodSync(file, 0o755);
  }
  const agents = {
    max: { agentType: 'claude', title: 'Architect' },
    sarah: { agentType: 'codex', permission: 'edit' },
    carol: { agentType: 'gemini', title: 'Reviewer' },
  };
  machine.write('huddle.jsonc', teamFile(agents, { name: 'auth-squad', ...more }));
  await machine.trust();
  const gate = (name: string): string => join(folder, `hold-${name}`);
  return {
    machine,
    hold: (name) => writeFileSync(gate(name), ''),
    release: (name) => rmSync(gate(name)),
  };
}

interface SimulatedMember {
  readonly member: string;
  readonly program: string;
  readonly folder: string;
  readonly replies: string;
  readonly simulator: string;
}

function simulate({ member, program, folder, replies, simulator }: SimulatedMember): string {
  return `#!/bin/sh
while [ "$1" != --version ] && [ -e '${folder}/hold-${member}' ]; do /bin/sleep 0.05; done
export HUDDLE_REHEARSAL_MEMBER=${member} HUDDLE_REHEARSAL_SCRIPT_FILE='${replies}' HUDDLE_REHEARSAL_STATE='${folder}'
exec '${process.execPath}' '${simulator}' --dialect ${program} "$@"
`;
}
