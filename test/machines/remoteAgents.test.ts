import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { resolveTeam } from '../../src/config/resolveTeam.js';
import type { Conversation } from '../../src/coordinator/Conversation.js';
import { explainTurns } from '../../src/coordinator/explainTurn.js';
import { createConversation } from '../../src/createConversation.js';
import type { RecordedEvent } from '../../src/models/ConversationEvent.js';
import type { Team } from '../../src/models/Team.js';
import { inviteRole } from '../../src/store/postgres/administer.js';
import { toArray } from '../../src/utils/AnyIterable.js';
import { hostileCommand } from '../agents/acp/hostileAcpAgent.js';
import { makeTemporaryFolder } from '../config/temporaryFolder.js';
import { describePostgres } from '../postgres/describePostgres.js';
import { bundleVendorAgent, vendorCommand } from '../simulators/vendorCommand.js';
import { makeFreshStore } from '../store/postgres/freshStore.js';
import { sitDown } from './table.js';
import { remoteTeam, startWorker } from './workerStage.js';

let vendor: string;

beforeAll(async () => {
  vendor = await bundleVendorAgent();
});

const TOOL = { name: 'Bash', input: 'npm test', result: 'ok', ok: true };
const SCRIPT = {
  sarah: [
    { text: ['I look.', 'All good.'], tools: [TOOL] },
    { text: ['Still good.'] },
    { text: ['Good again.'] },
    { failure: 'rate-limit' },
  ],
};

interface Kind {
  readonly agentType: string;
  readonly memory: 'session' | 'window';
  readonly command: (stateFolder: string) => readonly string[];
  /** Tools that it may use, by the file of the machine that it runs on. */
  readonly allow?: readonly string[];
}

const vendorAs = (name: 'claude' | 'codex' | 'gemini' | 'plain') => (stateFolder: string) =>
  vendorCommand(vendor, name, { memberName: 'sarah', script: SCRIPT, stateFolder });

const KINDS: readonly Kind[] = [
  { agentType: 'claude', memory: 'session', command: vendorAs('claude') },
  { agentType: 'codex', memory: 'session', command: vendorAs('codex') },
  { agentType: 'gemini', memory: 'session', command: vendorAs('gemini') },
  { agentType: 'acp', memory: 'session', command: () => hostileCommand('fixed') },
  { agentType: 'acp', memory: 'window', command: () => hostileCommand('asksbash') },
  {
    agentType: 'acp',
    memory: 'window',
    command: () => hostileCommand('asksbash'),
    allow: ['Bash(npm test)'],
  },
  { agentType: 'command', memory: 'window', command: vendorAs('plain') },
];

describePostgres('agents of all kinds on another machine', (server) => {
  beforeAll(async () => {
    await makeFreshStore(server(), 'kim', 'gpu_box');
    await inviteRole(server().url(), 'gpu_box', { worker: true });
  });

  const startRemote = async ({ agentType, memory, command, allow = [] }: Kind, stateFolder: string) => {
    const keyFile = join(makeTemporaryFolder(), 'key.pem');
    const kim = await sitDown(server(), 'kim');
    const worker = await startWorker(server(), {
      members: [{ name: 'sarah', agentType, command: command(stateFolder), allow }],
      keyFile,
    });
    const conversation = await kim.create(remoteTeam({ name: 'sarah', agentType, memory }), {
      keyFile,
      rehearsal: undefined,
      interactive: false,
    });
    return { worker, conversation };
  };

  test.each(KINDS)('$agentType: the same log as on this machine', async (kind) => {
    const { conversation } = await startRemote(kind, makeTemporaryFolder());
    const local = await createConversation({ team: localTeam(kind, makeTemporaryFolder()) });
    const logs: RecordedEvent[][] = [];
    for (const each of [local, conversation]) {
      await talk(each, 'Are the tests good?', 'And now?');
      logs.push(await toArray(each.history()));
    }
    await local.close();
    const [here = [], there = []] = logs;
    expect(comparable(there)).toEqual(comparable(here));
    expect(there.filter(({ type }) => type === 'turn-start')).toMatchObject([
      { runsOn: 'gpu_box' },
      { runsOn: 'gpu_box', prompt: { session: kind.memory === 'session' ? 'resume' : 'new' } },
    ]);
    for await (const turn of explainTurns(there)) expect(turn.isExact).toBe(true);
  });

  test('a session that the agent has lost is told, and the whole prompt is sent in a new one', async () => {
    const [kind] = KINDS as [Kind];
    const stateFolder = makeTemporaryFolder();
    const { conversation } = await startRemote(kind, stateFolder);
    await talk(conversation, 'Are the tests good?');
    rmSync(stateFolder, { recursive: true });
    await talk(conversation, 'And now?');
    const events = await toArray(conversation.history());
    expect(events.filter((event) => event.type === 'notice').map(({ code }) => code)).toEqual([
      'files-not-recorded',
      'session-lost',
    ]);
    expect(events.filter((event) => event.type === 'turn-start').map(({ prompt }) => prompt.session)).toEqual(
      ['new', 'resume', 'new'],
    );
    expect(events.filter(({ type }) => type === 'turn-end').at(-1)).toMatchObject({
      result: { kind: 'completed' },
    });
  });

  test('a session that another machine made is not resumed: the whole prompt is sent', async () => {
    const [kind] = KINDS as [Kind];
    const stateFolder = makeTemporaryFolder();
    const { conversation, worker } = await startRemote(kind, stateFolder);
    await talk(conversation, 'Are the tests good?');
    rmSync(join(worker.dataFolder, 'worker'), { recursive: true });
    await worker.close();
    await startWorker(server(), {
      members: [{ name: 'sarah', agentType: kind.agentType, command: kind.command(stateFolder) }],
      askers: { kim: askerOf(worker.file) },
    });
    await talk(conversation, 'And now?');
    const events = await toArray(conversation.history());
    expect(events.filter((event) => event.type === 'turn-start').map(({ prompt }) => prompt.session)).toEqual(
      ['new', 'resume', 'new'],
    );
    expect(events.filter(({ type }) => type === 'turn-end').at(-1)).toMatchObject({
      result: { kind: 'completed' },
    });
  });
});

function localTeam({ agentType, memory, command, allow = [] }: Kind, stateFolder: string): Team {
  const members = [
    { name: 'kim', type: 'human' },
    { name: 'sarah', type: 'ai', agentType, memory, command: command(stateFolder), allow },
  ];
  const result = resolveTeam({ version: 1, members });
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.team;
}

async function talk(conversation: Conversation, ...questions: readonly string[]): Promise<void> {
  for (const question of questions) {
    await conversation.send(`[NEXT: sarah] ${question}`);
    await conversation.settled();
  }
}

/** A log without what differs from run to run, and from machine to machine. */
function comparable(events: readonly RecordedEvent[]): readonly unknown[] {
  return events
    .filter((event) => !(event.type === 'notice' && event.code === 'files-not-recorded'))
    .map((event) => (event.type === 'message-added' ? { ...event, by: undefined } : event))
    .map((event) => JSON.stringify(event, (key, value) => (DIFFERENT.has(key) ? undefined : value)))
    .map((line) => JSON.parse(withoutNames(line)));
}

/** The ACP agent names its sessions after its process, and its questions have random names. */
function withoutNames(line: string): string {
  return line
    .replaceAll(/\bsession-\d+-\d+/gu, 'session')
    .replaceAll(/"requestId":"[^"]*"/gu, '"requestId":""');
}

const DIFFERENT: ReadonlySet<string> = new Set([
  ...['seq', 'at', 'timestamp', 'milliseconds', 'conversationId', 'runsOn'],
  ...['permission', 'isHeld', 'settings'],
]);

function askerOf({ askers }: { readonly askers: ReadonlyMap<string, string> }): string {
  return askers.get('kim') ?? '';
}
