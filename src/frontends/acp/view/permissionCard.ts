import { resolve } from 'node:path';
import type { PermissionOption } from '@agentclientprotocol/sdk/unstable';
import { describeRequest, describeWish, summarizeRequest } from '../../../catalogue/permissionRequests.js';
import { words } from '../../../catalogue/words.js';
import type { PermissionRequestEvent } from '../../../models/AgentEvent.js';
import { sanitizeForTerminal } from '../../../utils/sanitize.js';
import { metaOf } from './Thread.js';
import { cardTitle, kindOf, type ToolCards } from './ToolCards.js';
import { sourceOf, type TurnHead } from './TurnSpeech.js';
import type { PermissionQuestionCard } from './ViewTarget.js';

/** Longer ones stand in the card alone. */
const LONGEST_TITLE = 2000;

const ALLOW = 'allow';

export interface CardOptions {
  readonly toolCallId: string;
  readonly cards: ToolCards;
  readonly folder: string;
}

/** A permission request as a client is to show it: nothing that it is about is left out. */
export function permissionCard(
  head: TurnHead,
  request: PermissionRequestEvent,
  { toolCallId, cards, folder }: CardOptions,
): PermissionQuestionCard {
  const { kind, command, paths = [], diffs = [], arguments: rest } = request;
  return {
    toolCall: {
      toolCallId,
      title: titleOfRequest(head, request),
      kind: kindOf(command === undefined ? kind : 'execute'),
      status: 'pending',
      content: [
        { type: 'content', content: { type: 'text', text: fenceFacts(request) } },
        ...cards.showDiffs(diffs),
      ],
      ...(paths.length > 0 && { locations: paths.map((path) => ({ path: resolve(folder, path) })) }),
      rawInput: { ...(command !== undefined && { command }), ...(rest !== undefined && { arguments: rest }) },
    },
    options: [...options()],
    _meta: metaOf(sourceOf(head)),
  };
}

/** The whole command, or what else it is about, on one line. */
function titleOfRequest(head: TurnHead, request: PermissionRequestEvent): string {
  const title = cardTitle(head, summarizeRequest(request));
  return title.length <= LONGEST_TITLE ? title : cardTitle(head, describeWish(request));
}

/** Permission is only ever given or denied once: what holds for longer stands in the team file. */
function options(): readonly PermissionOption[] {
  const { allowOnce, deny } = words.acpView;
  return [
    { optionId: ALLOW, name: allowOnce, kind: 'allow_once' },
    { optionId: 'deny', name: deny, kind: 'reject_once' },
  ];
}

/** The verdict of an answer, whatever it is: only what was chosen from our options allows. */
export function verdictOf(response: unknown): 'allow' | 'deny' {
  const outcome = fieldOf(response, 'outcome');
  const isAllowed = fieldOf(outcome, 'outcome') === 'selected' && fieldOf(outcome, 'optionId') === ALLOW;
  return isAllowed ? 'allow' : 'deny';
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

function fenceFacts(request: PermissionRequestEvent): string {
  const lines = describeRequest(request).map(([label, line]) => label + sanitizeForTerminal(line));
  const text = lines.join('\n');
  const longest = Math.max(2, ...[...text.matchAll(/`+/gu)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}
