import { words } from '../../../../catalogue/words.js';
import { loadSessions, scope, wantedText } from '../state/sessions.js';

/** Milliseconds without a key after which a text is looked for. */
const TYPING_PAUSE = 200;

let typing: ReturnType<typeof setTimeout> | undefined;

/** Chooses which sessions are listed. */
export function SessionFilter() {
  return (
    <search class="filter">
      <fieldset class="segments">
        <legend class="heard">{words.web.scope.label}</legend>
        {(['here', 'all'] as const).map((name) => (
          <label key={name}>
            <input
              type="radio"
              name="scope"
              checked={scope.value === name}
              onChange={() => {
                scope.value = name;
                void loadSessions();
              }}
            />
            <span>{words.web.scope[name]}</span>
          </label>
        ))}
      </fieldset>
      <input
        type="search"
        name="find-session"
        data-entry
        aria-label={words.web.findSession}
        placeholder={words.web.findSession}
        value={wantedText.value}
        onInput={({ currentTarget }) => {
          wantedText.value = currentTarget.value;
          clearTimeout(typing);
          typing = setTimeout(() => void loadSessions(), TYPING_PAUSE);
        }}
      />
    </search>
  );
}
