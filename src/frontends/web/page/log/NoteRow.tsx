import type { ComponentChildren } from 'preact';
import { kindAndTitleInLog } from '../../../../catalogue/members.js';
import { describeNotice, describeOrigin, describePause } from '../../../../catalogue/tellings.js';
import { words } from '../../../../catalogue/words.js';
import type { FilesBlock } from '../../../../presentation/Block.js';
import {
  describeFileRecord,
  describeOthers,
  headFiles,
} from '../../../../presentation/describeFileRecord.js';
import { namesIn } from '../../../../presentation/Telling.js';
import { assertNever } from '../../../../utils/assertNever.js';
import { sanitizeForTerminal, sanitizeToOneLine } from '../../../../utils/sanitize.js';
import { RichText } from '../text/RichText.js';
import { Counts } from './Counts.js';
import { FileRows } from './FileRows.js';
import { Fold } from './Fold.js';
import { useLogView } from './LogView.js';
import type { NoteBlock } from './logItems.js';
import { RowTime } from './RowHead.js';

const MOST_FILES = 50;

/** An entry that nobody says: the beginning, tasks, notices, pauses, forks and files. */
export function NoteRow({ block, name }: { readonly block: NoteBlock; readonly name: string }) {
  const { conversation } = useLogView();
  switch (block.kind) {
    case 'start':
      return (
        <Note>
          {words.webLog.started(
            block.members.map((member) =>
              sanitizeToOneLine(words.joining.described(member.name, kindAndTitleInLog(member))),
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
          {sanitizeForTerminal(describeNotice(block.notice, namesIn(conversation.telling.value)))}
        </Note>
      );
    case 'fork':
      return <Note at={block.at}>{describeOrigin(block.fork)}</Note>;
    case 'pause':
      return (
        <Note tone="warn" at={block.at}>
          {describePause(block.reason)}
        </Note>
      );
    case 'files':
      return <Files block={block} name={name} />;
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
function Files({ block, name }: { readonly block: FilesBlock; readonly name: string }) {
  const others = describeOthers(block);
  if (others !== undefined) return <Note at={block.at}>{sanitizeToOneLine(others)}</Note>;
  const files = describeFileRecord(block, { most: MOST_FILES });
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
