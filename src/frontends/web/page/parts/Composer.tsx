import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { call } from '../api.js';
import { canAct, me } from '../state/access.js';
import { announcement, complain } from '../state/alerts.js';
import { COMPOSER_ID, isFocusLost, speakerOf, unsentText } from '../state/composing.js';
import { pageWords as words } from '../state/language.js';
import type { OpenConversation } from '../state/OpenConversation.js';
import { formatPlace, go } from '../state/place.js';
import {
  completeMention,
  findMention,
  offerNames,
  readPageCommand,
  sendMessage,
  type TypedMention,
} from '../typedText.js';
import { Icon } from './controls.js';

/** The key code of keys that an input method is using. */
const COMPOSING_KEY = 229;
const MOST_ROWS = 12;

/** The field for messages. What is typed stays until it has been said. */
export function Composer({ conversation }: { readonly conversation: OpenConversation }) {
  const { id } = conversation;
  const draft = unsentText(id);
  const speaker = speakerOf(id);
  const isSending = useSignal(false);
  const hint = useSignal('');
  const slip = useRef<string | undefined>(undefined);
  const mention = useSignal<TypedMention | undefined>(undefined);
  const marked = useSignal(0);
  const field = useRef<HTMLTextAreaElement>(null);
  const caret = useRef<number | undefined>(undefined);
  const people = me.value?.people ?? [];
  const members = conversation.telling.value.members.map(({ name }) => name);
  const names = members.filter((name) => name !== (speaker.value ?? people[0]));
  const offered = mention.value === undefined ? [] : offerNames(names, mention.value);

  // Who came here by a link types next; on a touch screen that would open its keyboard.
  useLayoutEffect(() => {
    if (isFocusLost() && matchMedia('(hover: hover)').matches) field.current?.focus();
  }, []);
  useLayoutEffect(() => {
    if (caret.current === undefined) return;
    field.current?.setSelectionRange(caret.current, caret.current);
    caret.current = undefined;
  });

  const look = ({ value, selectionEnd }: HTMLTextAreaElement) => {
    mention.value = findMention(value, selectionEnd);
    marked.value = 0;
  };
  const complete = (name: string) => {
    if (mention.value === undefined) return;
    const completed = completeMention(draft.value, mention.value, name);
    draft.value = completed.text;
    caret.current = completed.caret;
    mention.value = undefined;
    field.current?.focus();
  };
  const send = async () => {
    const content = draft.value;
    if (isSending.value || !canAct.value || content.trim() === '') return;
    const command = readPageCommand(content, members);
    const isSlip = command !== undefined && 'isSlip' in command;
    const isDoubted = isSlip && content !== slip.current;
    slip.current = isDoubted ? content : undefined;
    hint.value = isDoubted ? command.hint : '';
    announcement.value = hint.value;
    if (isDoubted) return;
    isSending.value = true;
    try {
      if (command === undefined || isSlip) await sendMessage({ sessionId: id, content, as: speaker.value });
      else if ('hint' in command) hint.value = announcement.value = command.hint;
      else if ('panel' in command) go(formatPlace({ conversation: id, ...command }));
      else await call('act', { params: { id }, body: command });
      // What was typed meanwhile stays.
      draft.value = draft.value.startsWith(content) ? draft.value.slice(content.length) : draft.value;
    } catch (error) {
      complain(error);
    }
    isSending.value = false;
  };
  const takeKey = (event: KeyboardEvent) => {
    if (event.isComposing || event.keyCode === COMPOSING_KEY) return;
    if (offered.length > 0 && takeMenuKey(event)) return event.preventDefault();
    if (event.key !== 'Enter' || event.shiftKey || event.altKey) return;
    event.preventDefault();
    // A key that was held when the field got the focus is no wish to send.
    if (!event.repeat) void send();
  };
  const takeMenuKey = ({ key }: KeyboardEvent): boolean => {
    const step = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) marked.value = (marked.value + step + offered.length) % offered.length;
    else if (key === 'Escape') mention.value = undefined;
    else if (key === 'Enter' || key === 'Tab') complete(offered[marked.value] ?? '');
    else return false;
    return true;
  };

  return (
    <form
      class="composer"
      data-region="composer"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      {offered.length > 0 && <MentionMenu names={offered} marked={marked.value} onChoose={complete} />}
      {hint.value !== '' && <p>{hint.value}</p>}
      {people.length > 1 && (
        <label class="speaker">
          <span>{words.web.as}</span>
          <select
            value={speaker.value ?? people[0]}
            onChange={({ currentTarget }) => {
              speaker.value = currentTarget.value;
            }}
          >
            {people.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
      )}
      <textarea
        ref={field}
        id={COMPOSER_ID}
        data-entry
        rows={Math.min(MOST_ROWS, draft.value.split('\n').length)}
        aria-label={words.web.message}
        aria-autocomplete="list"
        aria-activedescendant={offered.length > 0 ? mentionId(marked.value) : undefined}
        aria-busy={isSending.value}
        // The text stays where the server knows this browser no longer, so that it can be taken elsewhere.
        readOnly={!canAct.value}
        placeholder={words.web.messageHint}
        value={draft.value}
        onInput={({ currentTarget }) => {
          draft.value = currentTarget.value;
          hint.value = '';
          look(currentTarget);
        }}
        onClick={({ currentTarget }) => look(currentTarget)}
        onBlur={() => {
          mention.value = undefined;
        }}
        onKeyDown={takeKey}
      />
      <button
        type="submit"
        class="button primary"
        aria-disabled={draft.value.trim() === '' || isSending.value || !canAct.value ? 'true' : undefined}
      >
        <Icon name="send" />
        <span>{isSending.value ? words.web.sending : words.web.send}</span>
      </button>
    </form>
  );
}

interface MentionMenuProps {
  readonly names: readonly string[];
  readonly marked: number;
  readonly onChoose: (name: string) => void;
}

/** Names that fit what was typed after `@`. The keys stay in the field above. */
function MentionMenu({ names, marked, onChoose }: MentionMenuProps) {
  return (
    <div class="menu mentions" role="listbox" aria-label={words.web.panels.members}>
      {names.map((name, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are taken by the field, which keeps the focus.
        <div
          key={name}
          id={mentionId(index)}
          role="option"
          tabIndex={-1}
          aria-selected={index === marked}
          // The field would lose the focus before the click comes.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(name)}
        >
          {`@${name}`}
        </div>
      ))}
    </div>
  );
}

function mentionId(index: number): string {
  return `mention-${index}`;
}
