import { Component } from 'preact';
import { formatTime } from '../../../../catalogue/formats.js';
import { words } from '../../../../catalogue/words.js';
import { hueOf } from '../parts/hueOf.js';
import type { LogItem } from './logItems.js';
import { NoteRow } from './NoteRow.js';
import { RunningRow } from './RunningRow.js';
import { SpeechRow } from './SpeechRow.js';

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
