import { render } from 'preact';
import { App } from './App.js';
import { enter } from './state/access.js';
import { runDesk, runTitle } from './state/desk.js';
import { followAddress } from './state/place.js';
import { followTheme, startLanguage } from './state/settings.js';
import './style.css';

void start();

/** No await at the top: parts that are loaded later stand on this module, and would wait for its end. */
async function start(): Promise<void> {
  followTheme();
  followAddress();
  runDesk();
  runTitle();
  const [refusal] = await Promise.all([letIn(), startLanguage()]);
  render(<App refusal={refusal} />, document.body);
  const { startTheRest } = await import('./afterwards.js');
  startTheRest();
}

/** The refusal of a code that is no longer good, or of a server that does not answer: told where the code is asked for. */
async function letIn(): Promise<unknown> {
  try {
    await enter();
    return undefined;
  } catch (error) {
    return error;
  }
}
