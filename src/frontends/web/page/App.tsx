import { PageButton } from './parts/controls.js';
import { whenShown } from './parts/whenShown.js';
import { ConversationScreen } from './screens/ConversationScreen.js';
import { access } from './state/access.js';
import { alert, announcement, explainRefusal } from './state/alerts.js';
import { desk } from './state/desk.js';
import { language, pageWords as words } from './state/language.js';
import { place } from './state/place.js';
import { hasSessions } from './state/sessions.js';

const LoginScreen = whenShown(async () => (await import('./screens/LoginScreen.js')).LoginScreen);
const SessionsScreen = whenShown(async () => (await import('./screens/SessionsScreen.js')).SessionsScreen);

/** The whole page, made again when another language is chosen. */
export function App({ refusal }: { readonly refusal?: unknown }) {
  return <Page key={language.value} refusal={refusal} />;
}

function Page({ refusal }: { readonly refusal?: unknown }) {
  if (access.value === 'login') return <LoginScreen refusal={refusal} />;
  if (access.value === 'asking') return <Asking refusal={refusal} />;
  const { conversation, panel } = place.value;
  const isHome = conversation === undefined;
  return (
    <>
      {access.value === 'restarted' && (
        <p class="locked" role="alert">
          {words.web.connection.restarted}
        </p>
      )}
      <div class={`page${isHome ? ' home' : ''}${panel === undefined ? '' : ' with-panel'}`}>
        {(isHome || hasSessions.value || desk.value.kind !== 'loading') && (
          <SessionsScreen key="sessions" isBeside={!isHome} />
        )}
        {!isHome && <ConversationScreen key="conversation" />}
      </div>
      <Announcer />
    </>
  );
}

/** The server has not said yet who this is: it is on its way, or does not answer. */
function Asking({ refusal }: { readonly refusal?: unknown }) {
  return (
    <main class="conversation empty">
      <h1>Huddle</h1>
      <p role="status">{refusal === undefined ? words.web.connection.connecting : explainRefusal(refusal)}</p>
      {refusal !== undefined && (
        <PageButton icon="retry" label={words.web.tryAgain} onClick={() => location.reload()} />
      )}
    </main>
  );
}

/** The news, for those who listen, and what went wrong, for everybody. */
function Announcer() {
  const text = alert.value;
  return (
    <>
      <p class="heard" role="status" aria-live="polite">
        {announcement.value}
      </p>
      <div class="alert-place" role="alert">
        {text !== undefined && (
          <div class="alert">
            <p>{text}</p>
            <PageButton
              icon="close"
              isBare
              label={words.web.close}
              onClick={() => {
                alert.value = undefined;
              }}
            />
          </div>
        )}
      </div>
    </>
  );
}
