// A: what `huddle acp` takes to show a running conversation: whole processes, a client, an agent that speaks ACP.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { bareEnvironment, goal, median } from './measure.mjs';

const program = fileURLToPath(new URL('../dist/cli/huddle.js', import.meta.url));
const agent = fileURLToPath(new URL('./acpAgent.mjs', import.meta.url));
const DELTAS = 20_000;
const STAMPS = 200;
const CANCELS = 11;
const MESSAGES = 10_000;
const LONG = '20261115-0336-8aad';
const TEXT = 'The quick brown fox jumps over the lazy dog. '.repeat(7).slice(0, 300);
/** Clock ticks of a second in /proc. */
const TICKS = Number(spawnSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }).stdout) || 100;

export async function acpView() {
  console.log(`\nA what huddle acp takes to show a conversation; ${DELTAS} deltas of 5 B, whole processes\n`);
  await deltas();
  await latency();
  await cancelling();
  await loading();
  if (process.platform === 'linux') await unread();
}

async function deltas() {
  const client = await open(['deltas', `${DELTAS}`, '5']);
  // The first turn loads what turns need.
  await client.prompt();
  const before = cpuSeconds(client.pid);
  const seen = client.updates;
  await client.prompt();
  const spent = cpuSeconds(client.pid) - before;
  console.log(`       ${client.updates - seen} updates`);
  goal(`A ${DELTAS} deltas, CPU of huddle acp`, spent, 0.5, ' s');
  await client.close();
}

async function latency() {
  const client = await open(['stamps', `${STAMPS}`]);
  const times = [];
  client.onText = (text) => {
    const now = process.hrtime.bigint();
    for (const [, stamp] of text.matchAll(/<(\d+)>/gu)) times.push(Number(now - BigInt(stamp)) / 1e6);
  };
  await client.prompt();
  await client.close();
  goal('A from an agent’s pipe to the client’s, median', median(times), 5, ' ms');
}

async function cancelling() {
  const client = await open(['waits']);
  const times = [];
  for (let round = 0; round < CANCELS; round++) {
    const shown = new Promise((resolve) => {
      client.onText = resolve;
    });
    const answered = client.prompt();
    await shown;
    const start = performance.now();
    client.notify('session/cancel');
    const { stopReason } = await answered;
    if (stopReason !== 'cancelled') throw new Error(`A cancelled prompt was answered with ${stopReason}`);
    times.push(performance.now() - start);
  }
  await client.close();
  goal('A cancel answered, median', median(times), 100, ' ms');
}

/** A long conversation that a client opens again: a question, a tool call and an answer of 300 bytes, again and again. */
async function loading() {
  const client = await open(['deltas', '1']);
  await client.prompt();
  await client.request('session/close', { sessionId: client.sessionId });
  const log = join(client.folder, 'long.jsonl');
  writeFileSync(log, [...longLog()].map((fact) => `${JSON.stringify(fact)}\n`).join(''));
  const options = { cwd: client.project, env: client.env, encoding: 'utf8' };
  const { status, stderr } = spawnSync(process.execPath, [program, 'import', log], options);
  if (status !== 0) throw new Error(`The long conversation cannot be imported: ${stderr}`);
  const session = { sessionId: LONG, cwd: client.project, mcpServers: [] };
  // Held once, it has a checkpoint, as every session has that was not imported.
  await client.request('session/resume', session);
  await client.request('session/close', session);
  const before = client.updates;
  const start = performance.now();
  await client.request('session/load', session);
  const seconds = (performance.now() - start) / 1000;
  console.log(`       ${client.updates - before} updates`);
  await client.close();
  goal(`A session/load of ${MESSAGES} messages`, seconds, 2, ' s');
}

function* longLog() {
  let seq = 0;
  const number = (fact) => ({ ...fact, v: 1, seq: ++seq, at: seq });
  const members = [
    { id: 'kim', name: 'kim', type: 'human' },
    { id: 'max', name: 'max', type: 'ai', agentType: 'acp', permission: 'read' },
  ];
  const team = { name: 'squad', members };
  yield number({ type: 'conversation-start', conversationId: LONG, team, isRehearsal: false });
  const say = (index, roleId, type, turn) => {
    const speaker = { roleId, roleName: roleId, type };
    return number({
      type: 'message-added',
      message: { id: `msg-${index}`, content: TEXT, speaker, timestamp: seq },
      ...turn,
    });
  };
  for (let turn = 1; turn <= MESSAGES / 2; turn++) {
    const ids = { turnId: `turn-${turn}`, memberId: 'max' };
    const asked = `msg-${2 * turn - 1}`;
    const queued = { ...ids, triggeredBy: asked };
    const prompt = { bytes: 300, sha256: '', latestMessageId: asked, session: 'new' };
    const tool = { toolId: 'tool-1', name: 'Read' };
    yield say(2 * turn - 1, 'kim', 'human');
    yield number({ type: 'turns-queued', turns: [queued], place: 'front' });
    yield number({ type: 'turn-start', ...queued, prompt });
    yield number({ type: 'turn-activity', ...ids, event: { type: 'tool-start', ...tool, input: 'a.ts' } });
    yield number({
      type: 'turn-activity',
      ...ids,
      event: { type: 'tool-end', ...tool, ok: true, result: 'x' },
    });
    const result = { kind: 'completed', messageId: `msg-${2 * turn}` };
    yield number({ type: 'turn-end', ...ids, result, milliseconds: 1 });
    yield say(2 * turn, 'max', 'ai', { turnId: ids.turnId });
  }
}

/** A client that stops reading in the middle of 15 MB of thoughts and output of tools. */
async function unread() {
  const client = await open(['busy', '1000', '25']);
  const shown = new Promise((resolve) => {
    client.onText = resolve;
  });
  const answered = client.prompt();
  await shown;
  client.pause();
  await agentsEnd(client.pid);
  const megabytes =
    Number(/VmHWM:\s+(\d+)/u.exec(readFileSync(`/proc/${client.pid}/status`, 'utf8'))[1]) / 1024;
  client.resume();
  await answered;
  await client.close();
  goal('A a client that does not read, most memory of huddle acp', megabytes, 150, ' MB');
}

/** Resolves when the agent has written everything and nothing more is read from it. */
async function agentsEnd(pid) {
  for (let last = -1, same = 0; same < 10; ) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    const now = cpuSeconds(pid);
    same = now === last ? same + 1 : 0;
    last = now;
  }
}

function cpuSeconds(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /su, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
}

/** Starts `huddle acp` with one member, and a session in it. */
async function open(args) {
  const folder = mkdtempSync(join(tmpdir(), 'huddle-bench-'));
  const project = join(folder, 'project');
  mkdirSync(project);
  const member = { name: 'max', type: 'ai', agentType: 'acp', command: [process.execPath, agent, ...args] };
  const team = { version: 1, members: [{ name: 'kim', type: 'human' }, member], files: { record: false } };
  writeFileSync(join(project, 'huddle.jsonc'), JSON.stringify(team));
  const env = { ...bareEnvironment, HUDDLE_HOME: join(folder, 'data') };
  const child = spawn(process.execPath, [program, 'acp', '--trust'], {
    cwd: project,
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const client = new Client(child, { folder, project, env });
  await client.request('initialize', { protocolVersion: 1, clientCapabilities: {} });
  const { sessionId } = await client.request('session/new', { cwd: project, mcpServers: [] });
  client.sessionId = sessionId;
  return client;
}

/** A client in as few lines as possible: what it costs is not measured. */
class Client {
  updates = 0;
  onText = () => undefined;
  sessionId = '';
  #child;
  #waiting = new Map();
  #count = 0;

  constructor(child, { folder, project, env }) {
    this.#child = child;
    Object.assign(this, { folder, project, env });
    createInterface({ input: child.stdout }).on('line', (line) => this.#take(JSON.parse(line)));
  }

  get pid() {
    return this.#child.pid;
  }

  request(method, params) {
    const id = ++this.#count;
    this.#send({ id, method, params });
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
  }

  notify(method) {
    this.#send({ method, params: { sessionId: this.sessionId } });
  }

  prompt() {
    const { sessionId } = this;
    return this.request('session/prompt', { sessionId, prompt: [{ type: 'text', text: 'Go.' }] });
  }

  pause() {
    this.#child.stdout.pause();
  }

  resume() {
    this.#child.stdout.resume();
  }

  async close() {
    const ended = new Promise((resolve) => this.#child.on('exit', resolve));
    this.#child.stdin.end();
    await ended;
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 3 });
  }

  #send(message) {
    this.#child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  #take({ id, method, params, result, error }) {
    if (method === 'session/update') {
      this.updates += 1;
      const { sessionUpdate, content } = params.update;
      if (sessionUpdate === 'agent_message_chunk') this.onText(content.text);
      return;
    }
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error) waiting?.reject(new Error(`${error.message}`));
    else waiting?.resolve(result);
  }
}
