import { z } from 'zod';
import { shortenAnswer } from '../coordinator/shortenAnswer.js';
import type { AgentEvent, EndEvent } from '../models/AgentEvent.js';
import { ACTIVITIES, PROGRESS, UNFINISHED } from '../models/schema/agentEvents.js';
import { FACTS } from '../models/schema/events.js';
import { oneOf, record, text, variantsOf } from '../models/schema/fields.js';
import { hashAnswer } from '../store/postgres/proofs.js';

const { raw: _raw, waiting: _waiting, ...REPORTED_PROGRESS } = PROGRESS;
const { turnId: _turn, memberId: _member, ...DECIDED } = FACTS['permission-decided'];

const outcome = z.union([
  record({ kind: z.literal('completed'), text, exitCode: z.number().optional() }),
  oneOf('kind', UNFINISHED),
]);

const reportSchema = z.union([
  z.discriminatedUnion(
    'type',
    variantsOf('type', { ...ACTIVITIES, ...REPORTED_PROGRESS }) as unknown as [z.ZodObject],
  ),
  z.object({ type: z.literal('permission-decided'), ...DECIDED }),
  z.object({ type: z.literal('end'), outcome }),
]);

/** An event of a turn, as a worker reports it. */
export function writeReport(event: AgentEvent): string {
  return JSON.stringify(event);
}

/** The same for its end, with the hash of what becomes of an answer in a shared store: the store notes it from the first place. */
export async function writeEnd({ type, outcome }: EndEvent): Promise<string> {
  if (outcome.kind !== 'completed') return writeReport({ type, outcome });
  const kept = await shortenAnswer(outcome, () => undefined);
  return JSON.stringify({ said: hashAnswer('text' in kept ? kept.text : ''), type, outcome });
}

/** Null for what is no event of an agent: another machine wrote it, and it becomes part of a log here. */
export function readReport(body: string): AgentEvent | null {
  try {
    const parsed = reportSchema.safeParse(JSON.parse(body));
    // The schema is made of the same shapes as the type.
    return parsed.success ? (parsed.data as AgentEvent) : null;
  } catch {
    return null;
  }
}
