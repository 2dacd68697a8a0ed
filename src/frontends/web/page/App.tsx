import { ConversationScreen } from './screens/ConversationScreen.js';
import { SessionsScreen } from './screens/SessionsScreen.js';
import { place } from './state/place.js';

/** The whole page. */
export function App() {
  const { conversation } = place.value;
  return conversation === undefined ? <SessionsScreen /> : <ConversationScreen id={conversation} />;
}
