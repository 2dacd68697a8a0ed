import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { formatCount } from '../../../../catalogue/formats.js';
import { formatNumber } from '../../../../utils/formatNumber.js';
import { sanitizeForTerminal, sanitizeToOneLine } from '../../../../utils/sanitize.js';
import type { TurnExplained } from '../../wire.js';
import { call } from '../api.js';
import { CopyButton } from '../parts/controls.js';
import type { OpenConversation } from '../state/OpenConversation.js';
import { formatPlace } from '../state/place.js';
import { PatchView } from './PatchView.js';
import {
  inConversation,
  MoreButton,
  PanelContent,
  type PanelProps,
  Pending,
  ScrollArea,
  useAnswer,
} from './panelParts.js';
import { panelWords as words } from './panelWords.js';
import { listPlanRows, listSections } from './planRows.js';
import './panels.css';

/** Explains a turn: what its member was sent, what was left out, and why. */
export function WhyPanel({ conversation, turn = findLastTurn(conversation) }: PanelProps) {
  if (turn === undefined) return <p class="panel-note">{words.why.noTurnYet}</p>;
  return (
    <PanelContent>
      <ExplainedTurn key={turn} conversation={conversation} turn={turn} />
    </PanelContent>
  );
}

/** The turn that started last. */
function findLastTurn({ telling }: OpenConversation): string | undefined {
  return telling.value.conversation.turns.at(-1)?.turnId;
}

interface TurnProps {
  readonly conversation: OpenConversation;
  readonly turn: string;
}

function ExplainedTurn({ conversation, turn }: TurnProps) {
  const params = { id: conversation.id, turn };
  const answer = useAnswer(`${conversation.id} ${turn}`, 0, (signal) => call('why', { params, signal }));
  if (answer.value === undefined) return <Pending {...answer} />;
  const { plan, sent, since, hasSystemPrompt, isExact } = answer.value;
  const text = words.webPanels.why;
  const load = (part: 'prompt' | 'system' | 'new') => (signal: AbortSignal) =>
    call('prompt', { params, query: { part }, signal });
  return (
    <>
      <TurnHead conversation={conversation} explained={answer.value} />
      <p>{words.why.sent(sent.bytes, plan.maxBytes, words.why.sessions[sent.session])}</p>
      <SectionBar plan={plan} />
      {plan.cutBytes > 0 && <p class="warning">{words.why.cut(plan.cutBytes)}</p>}
      <PlanTable conversation={conversation} plan={plan} />
      <FoldedText title={text.prompt} id={`${turn} prompt`} load={load('prompt')} />
      {hasSystemPrompt && <FoldedText title={text.system} id={`${turn} system`} load={load('system')} />}
      {since !== undefined && (
        <FoldedText
          title={text.since(sanitizeToOneLine(since))}
          id={`${turn} new`}
          load={load('new')}
          show={(patch) =>
            patch === '' ? (
              <p>{text.nothingNew}</p>
            ) : (
              <PatchView patch={patch} label={text.since(sanitizeToOneLine(since))} isWrapped />
            )
          }
        />
      )}
      <p class={isExact ? 'exactness' : 'exactness warning'}>
        <span>{isExact ? text.exact : text.notExact}</span>
        <code>{`sha256 ${sanitizeToOneLine(sent.sha256)}`}</code>
      </p>
    </>
  );
}

function TurnHead({
  conversation,
  explained,
}: {
  readonly conversation: OpenConversation;
  readonly explained: TurnExplained;
}) {
  const { turnId, memberName, previous, next, sent } = explained;
  const text = words.webPanels.why;
  const placeOf = (turn: string) => formatPlace({ conversation: conversation.id, panel: 'why', turn });
  return (
    <div class="turn-head">
      <h3>
        {sanitizeToOneLine(`${turnId} · ${memberName}`)}
        <small>{text.after(sanitizeToOneLine(sent.latestMessageId))}</small>
      </h3>
      {previous !== undefined && (
        <a
          class="button bare"
          href={placeOf(previous)}
          aria-label={text.previous(previous)}
          title={text.previous(previous)}
        >
          ‹
        </a>
      )}
      {next !== undefined && (
        <a class="button bare" href={placeOf(next)} aria-label={text.next(next)} title={text.next(next)}>
          ›
        </a>
      )}
    </div>
  );
}

const BAR = { width: 300, height: 10 };

/** The parts of a prompt: a bar, and a list that says the same in words. */
function SectionBar({ plan }: Pick<TurnExplained, 'plan'>) {
  const sections = listSections(plan);
  const text = words.webPanels.why;
  if (sections.length === 0) return null;
  return (
    <div class="sections">
      <svg viewBox={`0 0 ${BAR.width} ${BAR.height}`} preserveAspectRatio="none" aria-hidden="true">
        {sections.map(({ key, start, share }) => (
          <rect
            key={key}
            class={`section-${key}`}
            x={start * BAR.width}
            width={share * BAR.width}
            height={BAR.height}
          />
        ))}
      </svg>
      <ul aria-label={text.parts}>
        {sections.map(({ key, name, bytes }) => (
          <li key={key} class={`section-${key}`}>
            {name} <span>{text.bytes(formatNumber(bytes))}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function PlanTable({ conversation, plan }: Pick<TurnExplained, 'plan'> & Pick<TurnProps, 'conversation'>) {
  const { first, count, inclusion } = words.why.heads;
  const places = new Map(
    conversation.rows.value.flatMap(({ seq, block }) =>
      block.kind === 'message' ? [[block.message.id as string, seq] as const] : [],
    ),
  );
  return (
    <table class="panel-table">
      <caption class="heard">{words.webPanels.why.messages}</caption>
      <thead>
        <tr>
          <th scope="col">{first}</th>
          <th scope="col" class="number">
            {count}
          </th>
          <th scope="col">{inclusion}</th>
        </tr>
      </thead>
      <tbody>
        {listPlanRows(plan).map((row) => (
          <tr key={row.firstId} class={row.isIn ? 'is-in' : 'is-out'}>
            <th scope="row">
              <MessageLink conversation={conversation} seq={places.get(row.firstId)} label={row.messages} />
            </th>
            <td class="number">{formatNumber(row.count)}</td>
            <td>{row.inclusion}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface MessageLinkProps extends Pick<TurnProps, 'conversation'> {
  readonly seq: number | undefined;
  readonly label: string;
}

/** The name of a message; one that the log has loaded is a way to it. */
function MessageLink({ conversation, seq, label }: MessageLinkProps) {
  if (seq === undefined) return <>{label}</>;
  return (
    <button
      type="button"
      class="link"
      title={words.webPanels.why.goTo(label)}
      onClick={() =>
        inConversation(conversation.id, () => {
          conversation.target.value = seq;
        })
      }
    >
      {label}
    </button>
  );
}

/** Characters that are shown at once. */
const SHOWN = 20_000;

interface FoldedProps {
  readonly title: string;
  /** Identifies the text. */
  readonly id: string;
  readonly load: (signal: AbortSignal) => Promise<string>;
  /** Shows the text; by default as it is. */
  readonly show?: (text: string) => ComponentChildren;
}

/** A text that is loaded when it is opened. */
function FoldedText({
  title,
  id,
  load,
  show = (text) => <WholeText text={text} label={title} />,
}: FoldedProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="folded" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{title}</summary>
      {isOpen && <LoadedText id={id} load={load} show={show} />}
    </details>
  );
}

function LoadedText({ id, load, show }: Required<Omit<FoldedProps, 'title'>>) {
  const answer = useAnswer(id, 0, load);
  return answer.value === undefined ? <Pending {...answer} /> : <div>{show(answer.value)}</div>;
}

function WholeText({ text, label }: { readonly text: string; readonly label: string }) {
  const [isWhole, setWhole] = useState(false);
  const rest = isWhole ? 0 : text.length - SHOWN;
  const shown = rest > 0 ? text.slice(0, SHOWN).toWellFormed() : text;
  return (
    <>
      <CopyButton text={text} />
      <ScrollArea class="long-text" label={label}>
        <pre>{sanitizeForTerminal(shown)}</pre>
      </ScrollArea>
      {rest > 0 && (
        <MoreButton label={words.webPanels.showRest(formatCount(rest))} onClick={() => setWhole(true)} />
      )}
    </>
  );
}
