import { useSignal } from '@preact/signals';
import { submitCode } from '../state/access.js';
import { explainRefusal } from '../state/alerts.js';
import { pageWords as words } from '../state/language.js';
import '../styles/login.css';

/** Asks for the code that the terminal shows. */
export function LoginScreen({ refusal }: { readonly refusal?: unknown }) {
  const code = useSignal('');
  const failure = useSignal<unknown>(refusal);
  const isBusy = useSignal(false);
  const { login } = words.web;
  const submit = async (event: Event) => {
    event.preventDefault();
    if (isBusy.value || code.value.trim() === '') return;
    isBusy.value = true;
    failure.value = undefined;
    await submitCode(code.value).catch((error: unknown) => {
      failure.value = error;
    });
    isBusy.value = false;
  };
  return (
    <main class="login">
      <form onSubmit={submit} noValidate>
        <h1>Huddle</h1>
        <label for="code">{login.ask}</label>
        <div class="field-row">
          <input
            id="code"
            name="code"
            autoComplete="off"
            autoCapitalize="none"
            spellcheck={false}
            // biome-ignore lint/a11y/noAutofocus: the page has this one field.
            autoFocus
            value={code.value}
            aria-invalid={failure.value === undefined ? undefined : 'true'}
            aria-describedby="code-hint"
            onInput={({ currentTarget }) => {
              code.value = currentTarget.value;
            }}
          />
          <button type="submit" class="button primary" aria-disabled={isBusy.value ? 'true' : undefined}>
            {login.enter}
          </button>
        </div>
        <p id="code-hint" class="soft">
          {login.hint}
        </p>
        <p role="alert" class="bad">
          {failure.value === undefined ? '' : explainRefusal(failure.value)}
        </p>
      </form>
    </main>
  );
}
