// M1: an append that is waited for over a bare INSERT on the same connection, and appends that are waited for together.
import { openPostgresStore } from '../../compiled/postgres.js';
import { goal, goalFaster, median } from '../measure.mjs';

const ROUNDS = 400;
const BURSTS = 9;
const TEXT = 'The quick brown fox jumps over the lazy dog. '.repeat(6);

export const START = {
  type: 'conversation-start',
  conversationId: 'bench-appends',
  team: { name: 'squad', members: [] },
  isRehearsal: false,
};

export function messageFact(number) {
  const id = `msg-${number}`;
  const speaker = { roleId: 'max', roleName: 'max', roleTitle: 'max', type: 'ai' };
  return {
    type: 'message-added',
    message: {
      id,
      content: TEXT,
      timestamp: number,
      speaker,
      routing: { rawNextMarkers: [], resolvedAddressees: [] },
    },
  };
}

export async function measureAppends(server) {
  await server.admin(
    'CREATE TABLE public.bare (conversation bigint, seq integer, body text, PRIMARY KEY (conversation, seq))',
  );
  await server.admin('GRANT INSERT ON public.bare TO kim');
  const store = await openPostgresStore({ url: server.url('kim') });
  const log = await store.create('bench-appends');
  log.append([START]);
  await log.kept();
  const costs = { bare: [], append: [], together: [] };
  for (let round = 1; round <= ROUNDS; round++) {
    const fact = messageFact(round);
    const body = JSON.stringify({ ...fact, v: 1, seq: round, at: Date.now() });
    costs.bare.push(
      await took(() => store.database.query('INSERT INTO public.bare VALUES ($1, $2, $3)', [1, round, body])),
    );
    costs.append.push(
      await took(() => {
        log.append([fact]);
        return log.kept();
      }),
    );
  }
  for (let burst = 1; burst <= BURSTS; burst++)
    costs.together.push(
      await took(() => {
        for (let number = 1; number <= ROUNDS; number++) log.append([messageFact(burst * ROUNDS + number)]);
        return log.kept();
      }),
    );
  await log.close();
  await store.close();
  const [bare, append, together] = [costs.bare, costs.append, costs.together].map(median);
  console.log(
    `bare INSERT ${bare.toFixed(2)} ms, append ${append.toFixed(2)} ms, ${ROUNDS} at once ${together.toFixed(0)} ms`,
  );
  goal('M1 append over a bare INSERT', append / bare, 1.2, 'x');
  goalFaster('M1 appends that are not waited for one by one', append, together / ROUNDS, 20);
}

/** Milliseconds until something is done. */
export async function took(work) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
