// Many conversations over a few workers, real processes of `huddle worker`, one of which is killed; what came of it is read
// from the database, by its clock. For the benchmark and, in small, for the tests.
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../../dist/cli/huddle.js', import.meta.url));
const ROLE = 'ci_fleet';
const ASKED_AT_ONCE = 16;
const LOOK_MILLISECONDS = 200;
/** A member that has read its prompt and answers at once. */
const AGENT = ['/bin/sh', '-c', 'cat > /dev/null; echo Done.'];

/** Notes when each turn was claimed and when it ended, by whom, by the clock of the database. */
const AUDIT = `
CREATE TABLE public.ran (
  number bigint PRIMARY KEY, conversation bigint, id text, account text, process uuid,
  claimed timestamptz, ended timestamptz);
CREATE FUNCTION public.note_run() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND OLD.state = 'asked' AND NEW.state = 'running' THEN
    INSERT INTO public.ran VALUES
      (NEW.number, NEW.conversation, NEW.id, NEW.account, NEW.process, clock_timestamp());
  ELSIF OLD.state = 'running' AND (TG_OP = 'DELETE' OR NEW.state <> 'running') THEN
    UPDATE public.ran SET ended = coalesce(ended, clock_timestamp()) WHERE number = OLD.number;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER note_run AFTER UPDATE OR DELETE ON huddle.turn FOR EACH ROW EXECUTE FUNCTION public.note_run();`;

/** Of each account the most turns at once. Those of the machine that was killed ended with it. */
const MOST_AT_ONCE = `
WITH span AS (
  SELECT account, claimed, CASE WHEN process = $1 THEN least(ended, $2) ELSE ended END AS ended FROM public.ran),
step AS (
  SELECT account, claimed AS at, 1 AS change FROM span UNION ALL SELECT account, ended, -1 FROM span)
SELECT account, max(running)::int AS most FROM (
  SELECT account, sum(change) OVER (PARTITION BY account ORDER BY at, change) AS running FROM step) counted
GROUP BY account ORDER BY account`;

/**
 * Runs it in an empty database.
 *
 * @param server `url(role)` and `admin(statement, values)` of a superuser.
 */
export async function runCapacity(
  server,
  { folder, conversations, workers, atOnce, accounts, hasPatience = true },
) {
  const { createSharedStore, inviteRole, openPostgresStore } = await import('../../compiled/postgres.js');
  await createSharedStore(server.url());
  await inviteRole(server.url(), 'ci');
  await inviteRole(server.url(), ROLE, { worker: true });
  await server.admin(AUDIT);
  const asker = await createAsker();
  const homes = createHomes(folder, { count: workers, server, atOnce, accounts, asker });
  const running = await Promise.all(homes.map(startWorker));
  const store = await openPostgresStore({ url: server.url('ci') });
  const started = performance.now();
  try {
    await askAll(store, asker, conversations);
    await until(server, (ended) => ended >= conversations / 4);
    const killed = await killOne(server, running[0], { hasPatience });
    await until(server, (ended) => ended === conversations);
    const seconds = (performance.now() - started) / 1000;
    return { seconds, ...(await readReport(server, killed)) };
  } finally {
    for (const { child } of running) child.kill('SIGKILL');
    await Promise.all(running.map(({ ended }) => ended));
    await store.close();
  }
}

async function createAsker() {
  const { createKeyText, readKeyText } = await import('../../compiled/utils/ed25519.js');
  return readKeyText(createKeyText());
}

/** A home for each worker. They have one key, and let each other ask: turns of a conversation run on any of them. */
function createHomes(folder, { count, server, atOnce, accounts, asker }) {
  const homes = Array.from({ length: count }, (_, index) => join(folder, `worker-${index}`));
  const work = join(folder, 'work');
  mkdirSync(work, { recursive: true });
  const names = Object.keys(accounts);
  const member = (account) => ({ name: `of_${account}`, agentType: 'command' });
  const team = join(folder, 'team.json');
  const members = names.map((account) => ({ type: 'ai', ...member(account), runsOn: ROLE }));
  writeFileSync(team, JSON.stringify({ version: 1, members: [{ name: 'ci', type: 'human' }, ...members] }));
  let key;
  for (const home of homes) {
    const config = join(home, '.config', 'huddle');
    mkdirSync(config, { recursive: true });
    if (key !== undefined) cpSync(join(homes[0], '.config', 'huddle', 'key.pem'), join(config, 'key.pem'));
    key = huddle(home, 'key').trim();
    huddle(home, 'store', 'add', 'work', server.url(ROLE));
    const file = {
      version: 1,
      store: 'work',
      atOnce,
      askers: { ci: asker.publicKey, fleet: key },
      accounts,
      members: names.map((account) => ({ ...member(account), command: AGENT, folder: work, account })),
      teams: { 'pr-review': { file: team, folder: work } },
    };
    writeFileSync(join(config, 'worker.jsonc'), JSON.stringify(file), { mode: 0o600 });
  }
  return homes;
}

function environmentOf(home) {
  return { PATH: '/usr/bin:/bin', HOME: home, HUDDLE_HOME: join(home, 'data') };
}

export function huddle(home, ...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    env: environmentOf(home),
    cwd: home,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`huddle ${args.join(' ')}: ${stderr}`);
  return stdout;
}

export async function startWorker(home) {
  const child = spawn(process.execPath, [program, 'worker'], {
    env: environmentOf(home),
    cwd: home,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  await new Promise((resolve, reject) => {
    let said = '';
    child.stderr.on('data', (data) => {
      said += data;
      if (said.includes('Ctrl-C')) resolve();
    });
    child.once('close', () => reject(new Error(said)));
  });
  return { child, ended };
}

async function askAll(store, key, count) {
  const { askFleet } = await import('../../compiled/machines/fleets.js');
  const message = '@of_acme @of_beta Review it.';
  let asked = 0;
  const askInTurn = async () => {
    while (asked++ < count) await askFleet({ store, key, on: ROLE, team: 'pr-review', message });
  };
  await Promise.all(Array.from({ length: ASKED_AT_ONCE }, askInTurn));
}

async function until(server, isReached) {
  for (;;) {
    const [{ ended }] = await server.admin(
      "SELECT count(*)::int AS ended FROM huddle.fleet WHERE state = 'ended'",
    );
    if (isReached(ended)) return;
    await delay(LOOK_MILLISECONDS);
  }
}

/** Kills a worker while it has something in hand. Without patience the database is told at once that it is gone. */
async function killOne(server, { child, ended }, { hasPatience }) {
  const [row] = await server.admin('SELECT id FROM huddle.process WHERE pid = $1', [child.pid]);
  child.kill('SIGKILL');
  await ended;
  const [{ at }] = await server.admin('SELECT clock_timestamp() AS at');
  const [held] = await server.admin(
    'SELECT count(*)::int AS conversations FROM huddle.conversation WHERE holder = $1',
    [row.id],
  );
  if (!hasPatience) await server.admin('UPDATE huddle.process SET expires = now() WHERE id = $1', [row.id]);
  return { process: row.id, at, held: held.conversations };
}

async function readReport(server, killed) {
  const count = async (statement) =>
    Number((await server.admin(`SELECT count(*) AS n FROM ${statement}`))[0].n);
  const events = (type) => `huddle.event WHERE body LIKE '{"type":"${type}"%'`;
  const shares = await server.admin(
    'SELECT process, count(*)::int AS turns FROM public.ran WHERE process <> $1 GROUP BY process',
    [killed.process],
  );
  const mean = shares.reduce((sum, { turns }) => sum + turns, 0) / shares.length;
  return {
    resumedElsewhere: killed.held,
    started: await count(events('turn-start')),
    ended: await count(events('turn-end')),
    interrupted: await count(`${events('turn-end')} AND body LIKE '%"kind":"interrupted"%'`),
    /** Turns of a conversation without the number that it should have. */
    odd: await count(
      `(SELECT conversation FROM ${events('turn-end')} GROUP BY conversation HAVING count(*) <> 2) uneven`,
    ),
    doubled: await count(
      '(SELECT conversation, id FROM public.ran GROUP BY conversation, id HAVING count(*) > 1) twice',
    ),
    mostAtOnce: Object.fromEntries(
      (await server.admin(MOST_AT_ONCE, [killed.process, killed.at])).map(({ account, most }) => [
        account,
        most,
      ]),
    ),
    /** Of each worker that lived, how far from the mean. */
    shares: shares.map(({ turns }) => turns / mean - 1),
  };
}
