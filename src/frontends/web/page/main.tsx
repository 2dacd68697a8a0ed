import { render } from 'preact';
import { App } from './App.js';
import { enter } from './state/access.js';
import { runDesk } from './state/desk.js';
import { startLanguage } from './state/language.js';
import { followAddress } from './state/place.js';
import { followTheme } from './state/settings.js';
import { runTitle } from './state/title.js';
import './style.css';

followTheme();
followAddress();
runDesk();
runTitle();
// A code that is no longer good, or a server that does not answer, is told where the code is asked for.
const [refusal] = await Promise.all([
  enter().then(
    () => undefined,
    (error: unknown) => error,
  ),
  startLanguage(),
]);
render(<App refusal={refusal} />, document.body);
const { startTheRest } = await import('./afterwards.js');
startTheRest();
