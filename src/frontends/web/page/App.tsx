import { words } from '../../../catalogue/words.js';
import { ActionButton } from './parts/ActionButton.js';
import { Announcer } from './parts/Announcer.js';
import { ConversationScreen } from './screens/ConversationScreen.js';
import { LoginScreen } from './screens/LoginScreen.js';
import { SessionsScreen } from './screens/SessionsScreen.js';
import { access } from './state/access.js';
import { describeRefusal } from './state/alerts.js';
import { language } from './state/language.js';
import { place } from './state/place.js';

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
        <SessionsScreen isBeside={!isHome} />
        {!isHome && <ConversationScreen />}
      </div>
      <Announcer />
    </>
  );
}

/** The server has not said yet who this is: it is on its way, or does not answer. */
function Asking({ refusal }: { readonly refusal?: unknown }) {
  return (
    <main class="login">
      <h1>Huddle</h1>
      <p role="status">
        {refusal === undefined ? words.web.connection.connecting : describeRefusal(refusal)}
      </p>
      {refusal !== undefined && (
        <ActionButton icon="retry" label={words.web.tryAgain} onClick={() => location.reload()} />
      )}
    </main>
  );
}
