import { resolve } from 'node:path';
import type {
  RequestPermissionRequest,
  SessionUpdate,
  ToolCallContent,
  ToolCallLocation,
  ToolKind,
} from '@agentclientprotocol/sdk/unstable';
import {
  describeRequest,
  describeWish,
  subjectOf,
  summarizeRequest,
} from '../../../catalogue/permissionRequests.js';
import { fenceCode } from '../../../markdown/fences.js';
import type {
  FileChangeEvent,
  FileDiff,
  PermissionRequestEvent,
  ToolDetailEvent,
  ToolEndEvent,
  ToolStartEvent,
} from '../../../models/AgentEvent.js';
import type { PermissionDecided } from '../../../models/ConversationEvent.js';
import { sanitizeForTerminal, sanitizeToOneLine } from '../../../utils/sanitize.js';
import { metaOf } from './Thread.js';
import type { TurnHead } from './TurnSpeech.js';

/** Longer titles of permission requests stand in the card alone. */
const LONGEST_TITLE = 2000;
/** Our option that allows. */
export const ALLOW = 'allow';

/** A permission request as the client of a session is asked it. */
export type PermissionQuestionCard = Omit<RequestPermissionRequest, 'sessionId'>;

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

type AskedCall = Omit<ToolStartEvent, 'type'>;

/** The tool calls of a turn, a card each. The ids of cards are unique in the session, whatever ids agents give. */
export class ToolCards {
  readonly #head: TurnHead;
  readonly #folder: string;
  /** By the id that the agent gave; of calls with the same id the last. */
  readonly #cards = new Map<string, ToolCard>();
  readonly #ids = new Set<string>();

  /** `folder`: paths are shown from its root. */
  constructor(head: TurnHead, folder: string) {
    this.#head = head;
    this.#folder = folder;
  }

  start(call: AskedCall): SessionUpdate {
    const asked = this.#cards.get(call.toolId);
    if (asked?.state !== 'asked') return this.#add(call, 'running');
    this.#cards.set(call.toolId, { ...asked, state: 'running' });
    const { _meta, sessionUpdate, toolCallId, ...news } = this.#describe(call, asked.id);
    return this.#update(toolCallId, { ...news, status: 'in_progress' });
  }

  /** Makes the card that a permission request is about, unless it is there, and the question: nothing that it is about is left out. */
  ask(request: PermissionRequestEvent): [updates: SessionUpdate[], question: PermissionQuestionCard] {
    const { name, kind, command, paths = [], diffs = [], arguments: rest } = request;
    const toolId = toolIdOf(request);
    const input = subjectOf(request);
    const begun = this.#isOpen(toolId) ? [] : [this.#add({ toolId, name, input, kind }, 'asked')];
    const { allowOnce, deny } = this.#head.words.acpView;
    const question: PermissionQuestionCard = {
      toolCall: {
        toolCallId: this.#cards.get(toolId)?.id ?? toolId,
        title: this.#titleOf(request),
        kind: kindOf(command === undefined ? kind : 'execute'),
        status: 'pending',
        content: [
          { type: 'content', content: { type: 'text', text: this.#describeFacts(request) } },
          ...this.#showDiffs(diffs),
        ],
        locations: paths.length > 0 ? paths.map((path) => ({ path: this.#absolute(path) })) : undefined,
        rawInput: { command, arguments: rest },
      },
      // Permission is only ever given or denied once: what holds for longer stands in the team file.
      options: [
        { optionId: ALLOW, name: allowOnce, kind: 'allow_once' },
        { optionId: 'deny', name: deny, kind: 'reject_once' },
      ],
      _meta: metaOf(this.#head.source),
    };
    return [begun, question];
  }

  decide(request: PermissionRequestEvent, decision: PermissionDecided['decision']): SessionUpdate[] {
    const toolId = toolIdOf(request);
    const card = this.#cards.get(toolId);
    if (card === undefined || !this.#isOpen(toolId)) return [];
    const isAllowed = decision === 'allowed';
    // The question is all there is about its card.
    if (request.toolId === undefined) return this.#close(toolId, card, isAllowed);
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
        ...(title !== undefined && { title: this.#cardTitle(title) }),
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

  /** A change of a file that no card shows. `isPast`: which files calls name is not known any more. */
  change({ path, change }: FileChangeEvent, isPast: boolean): SessionUpdate[] {
    const place = this.#absolute(path);
    const changing = [...this.#cards.values()].filter(({ changesFiles }) => changesFiles);
    if (changing.some(({ paths }) => isPast || paths.includes(place))) return [];
    const { changedFile, fileChange } = this.#head.words.telling;
    return [
      {
        sessionUpdate: 'tool_call',
        toolCallId: this.#newId('file'),
        title: sanitizeToOneLine(changedFile(this.#head.speaker.name, fileChange[change], path)),
        kind: change === 'delete' ? 'delete' : 'edit',
        status: 'completed',
        locations: [{ path: place }],
        _meta: metaOf(this.#head.source),
      },
    ];
  }

  /** The turn is over: no call runs any longer. */
  close(ok: boolean): SessionUpdate[] {
    const open = [...this.#cards].filter(([toolId]) => this.#isOpen(toolId));
    return open.flatMap(([toolId, card]) => this.#close(toolId, card, ok && !card.isDenied));
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
      title: this.#cardTitle(`${name} ${input}`),
      name,
      kind: kindOf(kind),
      ...(input !== '' && { rawInput: { input } }),
      _meta: metaOf(this.#head.source),
    };
  }

  /** Keeps of an ended call only which files it changed. */
  #close(toolId: string, card: ToolCard, ok: boolean, news: ToolCallNews = {}): SessionUpdate[] {
    const { id, changesFiles, paths } = card;
    this.#cards.set(toolId, { id, changesFiles, paths, diffs: [], state: 'ended' });
    return [this.#update(id, { status: ok ? 'completed' : 'failed', ...news })];
  }

  #showDiffs(diffs: readonly FileDiff[]): ToolCallContent[] {
    return diffs.map(({ path, ...texts }) => ({ type: 'diff', path: this.#absolute(path), ...texts }));
  }

  #contentOf({ diffs, output }: Pick<ToolCard, 'diffs' | 'output'>): ToolCallContent[] {
    const shown = this.#showDiffs(diffs);
    return output ? [...shown, { type: 'content', content: { type: 'text', text: output } }] : shown;
  }

  /** The whole command, or what else a request is about, on one line. */
  #titleOf(request: PermissionRequestEvent): string {
    const title = this.#cardTitle(summarizeRequest(request));
    return title.length <= LONGEST_TITLE ? title : this.#cardTitle(describeWish(request, this.#head.words));
  }

  #describeFacts(request: PermissionRequestEvent): string {
    const facts = describeRequest(request, this.#head.words);
    return fenceCode(facts.map(([label, line]) => label + sanitizeForTerminal(line)).join('\n'));
  }

  /** `max · Read src/a.ts`. */
  #cardTitle(text: string): string {
    return `${this.#head.speaker.name} · ${sanitizeToOneLine(text)}`;
  }

  #update(toolCallId: string, news: ToolCallNews): SessionUpdate {
    const _meta = metaOf(this.#head.source);
    return { ...news, sessionUpdate: 'tool_call_update', toolCallId, _meta };
  }

  #isOpen(toolId: string): boolean {
    return (this.#cards.get(toolId)?.state ?? 'ended') !== 'ended';
  }

  #locate({ path, line }: { readonly path: string; readonly line?: number | undefined }): ToolCallLocation {
    return { path: this.#absolute(path), line };
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

function changesFiles(kind: string | undefined): boolean {
  return CHANGING.has(kindOf(kind));
}

function kindOf(kind: string | undefined): ToolKind {
  return KINDS.has(kind ?? '') ? (kind as ToolKind) : 'other';
}

function toolIdOf({ toolId, requestId }: PermissionRequestEvent): string {
  return toolId ?? requestId;
}

/** Two states of the same thing as one: news of a tool call go into its card, anything else is replaced. */
export function mergeToolNews(before: SessionUpdate, news: SessionUpdate): SessionUpdate {
  if (news.sessionUpdate !== 'tool_call_update') return news;
  return { ...before, ...news, sessionUpdate: before.sessionUpdate } as SessionUpdate;
}
