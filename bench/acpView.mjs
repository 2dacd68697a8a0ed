// A: what `huddle acp` takes to show a running conversation: whole processes, a client, an agent that speaks ACP.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { bareEnvironment, goal, median } from './measure.mjs';

const program = fileURLToPath(new URL('../dist/cli/huddle.cjs', import.meta.url));
const agent = fileURLToPath(new URL('./acpAgent.mjs', import.meta.url));
const DELTAS = 20_000;
const STAMPS = 200;
const CANCELS = 11;
/** Clock ticks of a second in /proc. */
const TICKS = Number(spawnSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }).stdout) || 100;

export async function acpView() {
  console.log(`\nA what huddle acp takes to show a conversation; ${DELTAS} deltas of 5 B, whole processes\n`);
  await deltas('in one go', 'deltas');
  await deltas('one by one', 'single');
  await latency();
  await cancelling();
  if (process.platform === 'linux') await unread();
}

async function deltas(name, what) {
  const client = await open([what, `${DELTAS}`, '5']);
  // The first turn loads what turns need.
  await client.prompt();
  const before = cpuSeconds(client.pid);
  const seen = client.updates;
  await client.prompt();
  const spent = cpuSeconds(client.pid) - before;
  console.log(`       ${name}: ${client.updates - seen} updates`);
  goal(`A ${DELTAS} deltas ${name}, CPU of huddle acp and what it reads`, spent, 0.5, ' s');
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
  const megabytes = Number(/VmHWM:\s+(\d+)/u.exec(readFileSync(`/proc/${client.pid}/status`, 'utf8'))[1]) / 1024;
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
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) /su, '').split(' ');
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
  const child = spawn(process.execPath, [program, 'acp', '--trust'], { cwd: project, env, stdio: ['pipe', 'pipe', 'inherit'] });
  const client = new Client(child, folder);
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
  #folder;
  #waiting = new Map();
  #count = 0;

  constructor(child, folder) {
    this.#child = child;
    this.#folder = folder;
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
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 3 });
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
