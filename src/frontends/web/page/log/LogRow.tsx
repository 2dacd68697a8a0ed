import { Component, type ComponentChildren } from 'preact';
import { formatSeconds, formatTime } from '../../../../catalogue/formats.js';
import { kindAndTitleInLog } from '../../../../catalogue/members.js';
import { describeNotice, describeOrigin, describePause } from '../../../../catalogue/tellings.js';
import type { FilesBlock } from '../../../../presentation/Block.js';
import {
  describeFileRecord,
  describeOthers,
  headFiles,
} from '../../../../presentation/describeFileRecord.js';
import { describeWaiting } from '../../../../presentation/describeTurn.js';
import { doingOf, type LiveTurn } from '../../../../presentation/LiveTurn.js';
import { namesIn } from '../../../../presentation/Telling.js';
import { assertNever } from '../../../../utils/assertNever.js';
import { sanitizeForTerminal, sanitizeToOneLine } from '../../../../utils/sanitize.js';
import { hueOf } from '../parts/describeSession.js';
import { useNow } from '../state/clock.js';
import { pageWords as words } from '../state/language.js';
import { RichText } from '../text/RichText.js';
import type { LogItem, NoteBlock } from './logItems.js';
import { Counts, FileRows, Fold, RowHead, RowTime, useLogView } from './rowParts.js';
import { SpeechRow, WorkFold } from './SpeechRow.js';

interface RowProps {
  readonly item: LogItem;
  /** It is the one that was looked for. */
  readonly isTarget: boolean;
}

interface RowState {
  readonly isBroken: boolean;
}

/**
 * A row in the colour of who speaks. Made again only if it is another one: the log is painted with every step of a scroll.
 * What cannot be shown, of another version for instance, takes no other row with it.
 */
export class LogRow extends Component<RowProps, RowState> {
  override state: RowState = { isBroken: false };

  static override getDerivedStateFromError(): RowState {
    return { isBroken: true };
  }

  override shouldComponentUpdate({ item, isTarget }: RowProps, { isBroken }: RowState): boolean {
    const isSame = isTarget === this.props.isTarget && isBroken === this.state.isBroken;
    return !isSame || !isSameItem(item, this.props.item);
  }

  override render({ item, isTarget }: RowProps, { isBroken }: RowState) {
    if (isBroken) return <p class="row note">{words.webLog.notShown}</p>;
    const mark = isTarget ? ' target' : '';
    const day = item.kind !== 'running' && item.isNewDay ? <Day item={item} /> : null;
    if (item.kind === 'note')
      return (
        <>
          {day}
          <div class={`row note-row${mark}`}>
            <NoteRow block={item.block} name={item.key} />
          </div>
        </>
      );
    return (
      <>
        {day}
        <article class={`row speech ${hueOf(memberOf(item))}${mark}`}>
          {item.kind === 'running' ? <RunningRow turn={item.turn} /> : <SpeechRow item={item} />}
        </article>
      </>
    );
  }
}

function Day({ item }: { readonly item: Exclude<LogItem, { readonly kind: 'running' }> }) {
  return 'at' in item.block ? <p class="day">{formatTime(item.block.at).split(' ')[0]}</p> : null;
}

function memberOf(item: Exclude<LogItem, { readonly kind: 'note' }>) {
  if (item.kind === 'running') return item.turn.member;
  return item.block.kind === 'message' ? item.block.member : item.block.turn.member;
}

/** Whether two items show the same; the list is made again when rows come, its blocks are not. */
function isSameItem(one: LogItem, other: LogItem): boolean {
  const [fields, others] = [Object.entries(one), new Map(Object.entries(other))];
  return fields.length === others.size && fields.every(([name, value]) => others.get(name) === value);
}

const MOST_FILES = 50;

/** An entry that nobody says: the beginning, tasks, notices, pauses, forks and files. */
function NoteRow({ block, name }: { readonly block: NoteBlock; readonly name: string }) {
  const { conversation } = useLogView();
  switch (block.kind) {
    case 'start':
      return (
        <Note>
          {words.webLog.started(
            block.members.map((member) =>
              sanitizeToOneLine(words.joining.described(member.name, kindAndTitleInLog(member, words))),
            ),
          )}
        </Note>
      );
    case 'task':
      return (
        <section class="task">
          <h2>{words.telling.task}</h2>
          <RichText text={block.task ?? words.telling.taskCleared} />
        </section>
      );
    case 'notice':
      return (
        <Note tone="warn" at={block.at}>
          {sanitizeForTerminal(describeNotice(block.notice, namesIn(conversation.telling.value), words))}
        </Note>
      );
    case 'fork':
      return <Note at={block.at}>{describeOrigin(block.fork, words)}</Note>;
    case 'pause':
      return (
        <Note tone="warn" at={block.at}>
          {describePause(block.reason, words)}
        </Note>
      );
    case 'files':
      return <NotedFiles block={block} name={name} />;
    default:
      return assertNever(block);
  }
}

interface NoteProps {
  readonly tone?: 'warn';
  readonly at?: number;
  readonly children: ComponentChildren;
}

function Note({ tone, at, children }: NoteProps) {
  return (
    <p class={tone === undefined ? 'note' : `note ${tone}`}>
      <span>{children}</span>
      {at === undefined ? null : <RowTime at={at} />}
    </p>
  );
}

/** Changes between turns are a line, all others a list. */
function NotedFiles({ block, name }: { readonly block: FilesBlock; readonly name: string }) {
  const others = describeOthers(block, words);
  if (others !== undefined) return <Note at={block.at}>{sanitizeToOneLine(others)}</Note>;
  const files = describeFileRecord(block, { most: MOST_FILES }, words);
  const summary = (
    <>
      {headFiles(files)} <Counts counts={files.counts} />
    </>
  );
  return (
    <Fold name={name} summary={summary} isOpenFirst>
      {() => <FileRows files={files} />}
    </Fold>
  );
}

/** A turn that runs: who, since when, what it does, and its text as it is written. */
function RunningRow({ turn }: { readonly turn: LiveTurn }) {
  const { conversation } = useLogView();
  const { member, turnId, startedAt, todo } = turn;
  const { running } = conversation.telling.value.conversation;
  const isBlind = running.some((open) => open.turnId === turnId && open.blindRound !== undefined);
  const text = isBlind ? '' : conversation.textOf(turnId).value;
  const done = todo.filter((item) => item.done).length;
  return (
    <>
      <RowHead
        member={member}
        about={
          <>
            {describeDoing(turn, text)} · <Seconds since={startedAt} />
          </>
        }
      />
      {isBlind ? <p class="hint">{words.webLog.blindRound}</p> : null}
      {text === '' ? null : <RichText text={text} isGrowing />}
      {todo.length === 0 ? null : <p class="hint">{words.webLog.plan(done, todo.length)}</p>}
      <WorkFold turn={turn} />
    </>
  );
}

/** The telling of the page does not hold the text of running turns: it comes apart from the facts. */
function describeDoing(turn: LiveTurn, text: string): string {
  const [doing, about] = doingOf({ ...turn, preview: text });
  if (doing === 'elsewhere') return sanitizeToOneLine(describeWaiting(turn.member.name, about, words));
  return words.webLog.doing[doing](sanitizeToOneLine(about));
}

/** A clock of its own, so that a second is not a row. */
function Seconds({ since }: { readonly since: number }) {
  const now = useNow(true);
  return <span class="seconds">{formatSeconds(Math.max(0, now - since), words)}</span>;
}
