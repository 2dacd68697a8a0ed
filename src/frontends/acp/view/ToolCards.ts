import { resolve } from 'node:path';
import type {
  SessionUpdate,
  ToolCallContent,
  ToolCallLocation,
  ToolKind,
} from '@agentclientprotocol/sdk/unstable';
import { words } from '../../../catalogue/words.js';
import type {
  FileChangeEvent,
  FileDiff,
  ToolDetailEvent,
  ToolEndEvent,
  ToolStartEvent,
} from '../../../models/AgentEvent.js';
import type { PermissionDecided } from '../../../models/ConversationEvent.js';
import { sanitizeToOneLine } from '../../../utils/sanitize.js';
import { metaOf } from './Thread.js';
import { sourceOf, type TurnHead } from './TurnSpeech.js';

type ToolCallStart = Extract<SessionUpdate, { sessionUpdate: 'tool_call' }>;
type ToolCallNews = Partial<Extract<SessionUpdate, { sessionUpdate: 'tool_call_update' }>>;

/** A tool call as a client has it. */
interface ToolCard {
  readonly id: string;
  readonly changesFiles: boolean;
  readonly diffs: readonly FileDiff[];
  readonly output?: string;
  /** Files that its details name. */
  readonly paths: readonly string[];
  /** `asked`: its permission was asked for, and it has not started. */
  readonly state: 'asked' | 'running' | 'ended';
  readonly isDenied?: boolean;
}

/** The facts of a permission request by which its card is found or made. */
export type AskedCall = Omit<ToolStartEvent, 'type'>;

/** The tool calls of a turn, a card each. The ids of cards are unique in the session, whatever ids agents give. */
export class ToolCards {
  readonly #head: TurnHead;
  readonly #folder: string;
  /** By the id that the agent gave; of calls with the same id the last. */
  readonly #cards = new Map<string, ToolCard>();
  readonly #ids = new Set<string>();

  constructor(head: TurnHead, folder: string) {
    this.#head = head;
    this.#folder = folder;
  }

  idOf(toolId: string): string | undefined {
    return this.#cards.get(toolId)?.id;
  }

  start(call: AskedCall): SessionUpdate {
    const asked = this.#cards.get(call.toolId);
    if (asked?.state !== 'asked') return this.#add(call, 'running');
    this.#cards.set(call.toolId, { ...asked, state: 'running' });
    const { _meta, sessionUpdate, toolCallId, ...news } = this.#describe(call, asked.id);
    return this.#update(toolCallId, { ...news, status: 'in_progress' });
  }

  /** Makes the card that a question is about, unless it is there. */
  ask(call: AskedCall): SessionUpdate[] {
    return this.#isOpen(call.toolId) ? [] : [this.#add(call, 'asked')];
  }

  /** `isWhole`: the question is all there is about its card. */
  decide(toolId: string, decision: PermissionDecided['decision'], isWhole: boolean): SessionUpdate[] {
    const card = this.#cards.get(toolId);
    if (card === undefined || !this.#isOpen(toolId)) return [];
    const isAllowed = decision === 'allowed';
    if (isWhole) return this.#close(toolId, card, isAllowed);
    if (!isAllowed) this.#cards.set(toolId, { ...card, isDenied: true });
    return isAllowed ? [this.#update(card.id, { status: 'in_progress' })] : [];
  }

  detail({ toolId, title, locations, diffs, output }: ToolDetailEvent): SessionUpdate[] {
    const card = this.#cards.get(toolId);
    if (card === undefined || !this.#isOpen(toolId)) return [];
    const named = [...(locations ?? []), ...(diffs ?? [])].map(({ path }) => this.#absolute(path));
    const paths = [...new Set([...card.paths, ...named])];
    const grown = { ...card, paths, ...(diffs && { diffs }), ...(output !== undefined && { output }) };
    this.#cards.set(toolId, grown);
    return [
      this.#update(card.id, {
        ...(title !== undefined && { title: cardTitle(this.#head, title) }),
        ...(locations && { locations: locations.map((place) => this.#locate(place)) }),
        ...((diffs || output !== undefined) && { content: this.#contentOf(grown) }),
      }),
    ];
  }

  /** Ends a call; some agents only tell that a tool was used. */
  end({ toolId, name, ok, result }: ToolEndEvent): SessionUpdate[] {
    const begun = this.#isOpen(toolId) ? [] : [this.#add({ toolId, name, input: '' }, 'running')];
    const card = this.#cards.get(toolId);
    if (card === undefined) return begun;
    const isNews = card.output === undefined && result !== '';
    const content = isNews ? { content: this.#contentOf({ ...card, output: result }) } : {};
    return [...begun, ...this.#close(toolId, card, ok, content)];
  }

  /** A change of a file that no card shows. */
  change({ path, change }: FileChangeEvent): SessionUpdate[] {
    const place = this.#absolute(path);
    const cards = [...this.#cards.values()];
    if (cards.some(({ changesFiles, paths }) => changesFiles && paths.includes(place))) return [];
    const { changedFile, fileChange } = words.telling;
    return [
      {
        sessionUpdate: 'tool_call',
        toolCallId: this.#newId('file'),
        title: sanitizeToOneLine(changedFile(this.#head.speaker.name, fileChange[change], path)),
        kind: change === 'delete' ? 'delete' : 'edit',
        status: 'completed',
        locations: [{ path: place }],
        _meta: metaOf(sourceOf(this.#head)),
      },
    ];
  }

  /** The turn is over: no call runs any longer. */
  close(ok: boolean): SessionUpdate[] {
    const open = [...this.#cards].filter(([toolId]) => this.#isOpen(toolId));
    return open.flatMap(([toolId, card]) => this.#close(toolId, card, ok && !card.isDenied));
  }

  /** Changes of files as a client shows them. */
  showDiffs(diffs: readonly FileDiff[]): ToolCallContent[] {
    return diffs.map(({ path, ...texts }) => ({ type: 'diff', path: this.#absolute(path), ...texts }));
  }

  #add(call: AskedCall, state: ToolCard['state']): SessionUpdate {
    const id = this.#newId(call.toolId);
    const card = { id, changesFiles: changesFiles(call.kind), diffs: [], paths: [], state };
    this.#cards.set(call.toolId, card);
    return { ...this.#describe(call, id), status: state === 'asked' ? 'pending' : 'in_progress' };
  }

  #describe({ name, input, kind }: AskedCall, toolCallId: string): ToolCallStart {
    return {
      sessionUpdate: 'tool_call',
      toolCallId,
      title: cardTitle(this.#head, `${name} ${input}`),
      name,
      kind: kindOf(kind),
      ...(input !== '' && { rawInput: { input } }),
      _meta: metaOf(sourceOf(this.#head)),
    };
  }

  /** Keeps of an ended call only which files it changed. */
  #close(toolId: string, card: ToolCard, ok: boolean, news: ToolCallNews = {}): SessionUpdate[] {
    const { id, changesFiles, paths } = card;
    this.#cards.set(toolId, { id, changesFiles, paths, diffs: [], state: 'ended' });
    return [this.#update(id, { status: ok ? 'completed' : 'failed', ...news })];
  }

  #contentOf({ diffs, output }: Pick<ToolCard, 'diffs' | 'output'>): ToolCallContent[] {
    const shown = this.showDiffs(diffs);
    return output ? [...shown, { type: 'content', content: { type: 'text', text: output } }] : shown;
  }

  #update(toolCallId: string, news: ToolCallNews): SessionUpdate {
    const _meta = metaOf(sourceOf(this.#head));
    return { ...news, sessionUpdate: 'tool_call_update', toolCallId, _meta };
  }

  #isOpen(toolId: string): boolean {
    return (this.#cards.get(toolId)?.state ?? 'ended') !== 'ended';
  }

  #locate({ path, line }: { readonly path: string; readonly line?: number | undefined }): ToolCallLocation {
    return { path: this.#absolute(path), ...(line !== undefined && { line }) };
  }

  #absolute(path: string): string {
    return resolve(this.#folder, path);
  }

  #newId(toolId: string): string {
    const wanted = `${this.#head.turnId}/${toolId}`;
    let id = wanted;
    for (let count = 2; this.#ids.has(id); count += 1) id = `${wanted}/${count}`;
    this.#ids.add(id);
    return id;
  }
}

const KINDS: ReadonlySet<string> = new Set<ToolKind>([
  ...(['read', 'edit', 'delete', 'move', 'search'] as const),
  ...(['execute', 'think', 'fetch', 'switch_mode', 'other'] as const),
]);
const CHANGING: ReadonlySet<ToolKind> = new Set<ToolKind>(['edit', 'delete', 'move']);

export function changesFiles(kind: string | undefined): boolean {
  return CHANGING.has(kindOf(kind));
}

export function kindOf(kind: string | undefined): ToolKind {
  return KINDS.has(kind ?? '') ? (kind as ToolKind) : 'other';
}

/** `max · Read src/a.ts`. */
export function cardTitle({ speaker }: TurnHead, text: string): string {
  return `${speaker.name} · ${sanitizeToOneLine(text)}`;
}
