import { createHash } from 'node:crypto';
import { HuddleError } from '../../models/errors.js';
import { getConstructionPlans } from './bossPackage.js';
import type { Query } from './SharedStore.js';

/** The schema that pg-boss keeps its jobs in. They hold ids only. */
export const JOBS_SCHEMA = 'huddle_jobs';

/** Kinds of work that a worker's role is asked for, each in a queue of its own. */
export type QueueKind = 'turns' | 'fleet';

const KINDS: readonly QueueKind[] = ['turns', 'fleet'];

/** Roles whose names are names of queues as well: pg-boss takes no others. */
const QUEUE_ROLE = /^[\w.-]+$/u;

/** The queue of a role; a role without one is no worker. */
export function nameQueue(kind: QueueKind, role: string): string {
  return `${kind}/${role}`;
}

/** Channel on which those who fetch from a queue are told that something is in it. Names of channels are short, those of roles are not. */
export function nameWakeUp(queue: string): string {
  return `huddle_${createHash('sha256').update(queue).digest('hex').slice(0, 32)}`;
}

const OWN = KINDS.map((kind) => `name = '${kind}/' || session_user`).join(' OR ');

/**
 * Rights by row, since pg-boss works on its tables as the role that asks: everybody puts work into every queue, and only
 * the role that a queue is for takes it out, puts it back or counts it.
 */
const POLICIES = `
ALTER TABLE ${JOBS_SCHEMA}.job ENABLE ROW LEVEL SECURITY;
ALTER TABLE ${JOBS_SCHEMA}.job_common ENABLE ROW LEVEL SECURITY;
CREATE POLICY read ON ${JOBS_SCHEMA}.job_common FOR SELECT USING (true);
CREATE POLICY ask ON ${JOBS_SCHEMA}.job_common FOR INSERT WITH CHECK (state = 'created' OR ${OWN});
CREATE POLICY take ON ${JOBS_SCHEMA}.job_common FOR UPDATE USING (${OWN}) WITH CHECK (${OWN});
CREATE POLICY remove ON ${JOBS_SCHEMA}.job_common FOR DELETE USING (${OWN});
ALTER TABLE ${JOBS_SCHEMA}.queue ENABLE ROW LEVEL SECURITY;
CREATE POLICY read ON ${JOBS_SCHEMA}.queue FOR SELECT USING (true);
CREATE POLICY tend ON ${JOBS_SCHEMA}.queue FOR UPDATE USING (${OWN}) WITH CHECK (${OWN});
`;

/** Columns in which pg-boss notes what it did for a queue and when; none of them says how its jobs are treated. */
const TENDED_COLUMNS = [
  'deferred_count',
  'queued_count',
  'ready_count',
  'active_count',
  'failed_count',
  'total_count',
  'ready_history',
  'singletons_active',
  'monitor_claim_on',
  'monitor_on',
  'maintain_on',
];

/** Treatment of jobs: those of a worker that is gone come again, as often as it takes, and nothing is kept for long. */
const QUEUE_OPTIONS = {
  policy: 'standard',
  retryLimit: 1_000_000,
  retryDelay: 1,
  heartbeatSeconds: 20,
  expireInSeconds: 24 * 60 * 60,
  retentionSeconds: 24 * 60 * 60,
  deleteAfterSeconds: 60 * 60,
};

/** Statements that make the schema of the jobs, without a transaction of their own. */
export function createJobsSchema(): string {
  return withoutTransaction(getConstructionPlans(JOBS_SCHEMA)) + POLICIES;
}

/** The plans of pg-boss bring their own transaction, and are run in that of the caller. */
function withoutTransaction(plans: string): string {
  return plans.replace(/^\s*BEGIN;/u, '').replace(/COMMIT;\s*$/u, '');
}

/** Lets a role put work into queues, and a worker take it out of its own, which are made. Rejects with WORKER_NAME. */
export async function admitToJobs(
  query: Query,
  role: string,
  { worker = false }: { readonly worker?: boolean } = {},
): Promise<void> {
  if (worker && !QUEUE_ROLE.test(role)) throw new HuddleError('WORKER_NAME', { role });
  const grantee = quoteIdentifier(role);
  await query(`GRANT USAGE ON SCHEMA ${JOBS_SCHEMA} TO ${grantee}`);
  await query(`GRANT SELECT ON ${JOBS_SCHEMA}.version, ${JOBS_SCHEMA}.queue TO ${grantee}`);
  await query(`GRANT SELECT, INSERT ON ${JOBS_SCHEMA}.job_common TO ${grantee}`);
  if (!worker) return;
  // The rows of `job` itself are closed by having no policy: pg-boss names it in a part that has nothing to insert here.
  await query(`GRANT INSERT ON ${JOBS_SCHEMA}.job TO ${grantee}`);
  await query(`GRANT UPDATE, DELETE ON ${JOBS_SCHEMA}.job_common TO ${grantee}`);
  await query(`GRANT UPDATE (${TENDED_COLUMNS.join(', ')}) ON ${JOBS_SCHEMA}.queue TO ${grantee}`);
  await query(`GRANT SELECT, DELETE ON ${JOBS_SCHEMA}.job_dependency TO ${grantee}`);
  for (const kind of KINDS)
    await query(`SELECT ${JOBS_SCHEMA}.create_queue($1, $2)`, [
      nameQueue(kind, role),
      JSON.stringify(QUEUE_OPTIONS),
    ]);
}

/** Takes the rights of a role away, and its queues with what waits in them. */
export async function dismissFromJobs(query: Query, role: string): Promise<void> {
  const grantee = quoteIdentifier(role);
  await query(`REVOKE ALL ON ALL TABLES IN SCHEMA ${JOBS_SCHEMA} FROM ${grantee}`);
  await query(`REVOKE ALL ON SCHEMA ${JOBS_SCHEMA} FROM ${grantee}`);
  // A role that was invited without being a worker has none.
  const queues = KINDS.map((kind) => nameQueue(kind, role));
  await query(`SELECT ${JOBS_SCHEMA}.delete_queue(name) FROM ${JOBS_SCHEMA}.queue WHERE name = ANY ($1)`, [
    queues,
  ]);
}

function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
