import { type ExplainedTurn, explainStart, PastMoment } from '../coordinator/explainTurn.js';
import { recordProfile } from '../coordinator/memberProfile.js';
import { listMissed, measurePrompt } from '../coordinator/prepareTurn.js';
import { splitPatch } from '../files/changes/patchSections.js';
import type { Notice, RecordedEvent, SentPrompt, TurnStart } from '../models/ConversationEvent.js';
import { PromptBudgetError } from '../models/errors.js';
import { isSecretPath } from '../utils/isSecretPath.js';
import { MASK } from '../utils/redact.js';
import { createMask, type Mask, type MaskedPlace } from './maskText.js';

/** Fields whose words are Huddle's own: a password that happens to be one of them must not break the log. */
const OWN_WORDS: ReadonlySet<string> = new Set([
  ...['type', 'kind', 'code', 'reason', 'id', 'nonce', 'sha256', 'systemSha256'],
  ...['agentType', 'promptsOf', 'memory', 'visibility', 'guard', 'tellFiles', 'session'],
  ...['permission', 'env', 'output', 'workspace', 'place', 'decision', 'change', 'limit', 'price', 'mode'],
  ...['errno', 'during', 'because'],
]);

/**
 * Makes a log that may be shown to others: without secrets, without the lines of files that are named like secrets, and
 * without the folders of this machine. Its hashes are those of the prompts that the masked log gives.
 */
export function redactEvents(events: Iterable<RecordedEvent>, place: MaskedPlace): RecordedEvent[] {
  const log = [...events];
  const mask = createMask({ ...place, names: [...(place.names ?? []), ...namesIn(log)] });
  const secretTools = new Set<string>();
  return remakePrompts(log.map((event) => redactEvent(hideFiles(event, secretTools), mask)));
}

/** Names and ids by which routing finds members. */
function namesIn(events: readonly RecordedEvent[]): readonly string[] {
  return events.flatMap((event) => {
    if (event.type === 'conversation-start') return event.team.members.flatMap(({ id, name }) => [id, name]);
    return event.type === 'profile-changed' ? [event.memberId, ...event.profile.memberNames] : [];
  });
}

function redactEvent(event: RecordedEvent, mask: Mask): RecordedEvent {
  const masked = maskStrings(event, mask) as RecordedEvent;
  switch (masked.type) {
    case 'conversation-start':
      return { ...masked, redacted: true };
    case 'profile-changed':
      return { ...masked, ...recordProfile(masked.memberId, masked.profile) };
    case 'files-recorded':
      // A name that is masked has other bytes.
      return {
        ...masked,
        files: masked.files.map((file, at) => {
          const { bytes: _, ...named } = file;
          return event.type === 'files-recorded' && event.files[at]?.path === file.path ? file : named;
        }),
      };
    default:
      return masked;
  }
}

/** A copy with all texts masked, in all depths. */
function maskStrings(value: unknown, mask: Mask): unknown {
  if (typeof value === 'string') return mask(value);
  if (Array.isArray(value)) return value.map((item) => maskStrings(item, mask));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => {
      const isOwn = typeof field === 'string' && OWN_WORDS.has(key);
      return [key, isOwn ? field : maskStrings(field, mask)];
    }),
  );
}

/** Takes out what was in files that are named like secrets. `secretTools` are the calls that looked into one. */
function hideFiles(event: RecordedEvent, secretTools: Set<string>): RecordedEvent {
  if (event.type === 'files-recorded' && event.patch !== undefined)
    return { ...event, patch: withoutSecretFiles(event.patch) };
  if (event.type !== 'turn-activity') return event;
  const { event: activity } = event;
  if (activity.type === 'tool-start' && namesSecretFile(activity.input))
    secretTools.add(toolKey(event.turnId, activity.toolId));
  if (activity.type === 'tool-end' && secretTools.has(toolKey(event.turnId, activity.toolId)))
    return { ...event, event: { ...activity, result: MASK } };
  if (activity.type !== 'permission-request') return event;
  const { diffs, paths = [], arguments: more } = activity;
  return {
    ...event,
    event: {
      ...activity,
      diffs: diffs?.map((diff) => (isSecretPath(diff.path) ? hideDiff(diff) : diff)),
      arguments: more !== undefined && paths.some(isSecretPath) ? MASK : more,
    },
  };
}

function toolKey(turnId: string, toolId: string): string {
  return `${turnId} ${toolId}`;
}

function hideDiff<Diff extends { readonly oldText: string | null }>(diff: Diff): Diff {
  return { ...diff, oldText: diff.oldText === null ? null : MASK, newText: MASK };
}

/** Words of a command or paths of a tool; a word like `id_user` is no file. */
const SECRET_FILE =
  /(?:^|[\s"'=:@/])(?:\.env(?:\.[\w.-]+)?|\.npmrc|\.netrc|id_(?:rsa|dsa|ecdsa|ed25519)|[\w.-]*credentials(?:\.\w+)?|[\w.-]+\.(?:pem|key))(?=$|[\s"';|&)])/u;

function namesSecretFile(input: string): boolean {
  return SECRET_FILE.test(input);
}

function withoutSecretFiles(patch: string): string {
  return splitPatch(patch)
    .filter(({ oldPath, newPath }) => !isSecretPath(oldPath) && !isSecretPath(newPath))
    .map(({ text }) => text)
    .join('');
}

/**
 * Makes what a log says about its prompts true again after its texts were changed: hashes, sizes, what there was no room
 * for. Events may come and go by that, so all are numbered again.
 */
function remakePrompts(events: readonly RecordedEvent[]): RecordedEvent[] {
  const moment = new PastMoment();
  const remade: RecordedEvent[] = [];
  let cutIn: TurnStart | undefined;
  for (const event of events) {
    const isOldNote = cutIn !== undefined && isTrimOf(event, cutIn);
    cutIn = event.type === 'turn-start' ? event : undefined;
    if (isOldNote) continue;
    const made = event.type === 'turn-start' ? remakeStart(moment, event) : [event];
    for (const one of made) moment.apply(one);
    remade.push(...made);
  }
  return remade.map((event, index) => (event.seq === index + 1 ? event : { ...event, seq: index + 1 }));
}

function isTrimOf(event: RecordedEvent, { memberId }: TurnStart): boolean {
  return event.type === 'notice' && event.code === 'prompt-trimmed' && event.memberId === memberId;
}

/** A start and, as the coordinator records it, the notice that its message had to be cut. */
function remakeStart(moment: PastMoment, event: TurnStart & RecordedEvent): RecordedEvent[] {
  try {
    const explained = explainStart(moment, event);
    const { memberId, v, seq, at } = event;
    const cutBytes = explained.output.trim?.cutBytes ?? 0;
    const note: Notice = { type: 'notice', code: 'prompt-trimmed', memberId, cutBytes };
    const start = { ...event, prompt: describePrompt(event.prompt, explained) };
    return [start, ...(cutBytes > 0 ? [{ ...note, v, seq, at }] : [])];
  } catch (error) {
    // It was sent, and now has no room: the answer stays, and playing tells.
    if (error instanceof PromptBudgetError) return [event];
    throw error;
  }
}

function describePrompt(
  { missed: _, ...sent }: SentPrompt,
  { output, plan, profile }: ExplainedTurn,
): SentPrompt {
  const missed = output.trim === undefined || profile.memory !== 'session' ? [] : listMissed(plan);
  return { ...sent, ...measurePrompt(output), missed: missed.length > 0 ? missed : undefined };
}
