import { words } from '../../../../catalogue/words.js';
import { access } from '../state/access.js';
import { continueHere, streamState } from '../state/desk.js';

/** Attempts after which it is likely that Huddle is not running. */
const MANY_ATTEMPTS = 4;

/** The state of the connection, in words. */
export function ConnectionState() {
  const state = streamState.value;
  const { connection } = words.web;
  if (access.value === 'restarted') return <Told mark="○" kind="off" text={connection.refused} />;
  switch (state.kind) {
    case 'live':
      return <Told mark="●" kind="on" text={connection.live} />;
    case 'connecting':
      return <Told mark="○" kind="off" text={connection.connecting} />;
    case 'reconnecting': {
      const isGone = state.attempts > MANY_ATTEMPTS;
      return <Told mark="○" kind="off" text={isGone ? connection.gone : connection.reconnecting} />;
    }
    case 'superseded':
      return (
        <button type="button" class="button connection" onClick={continueHere}>
          {connection.superseded}
        </button>
      );
    case 'refused':
      return <Told mark="○" kind="off" text={connection.refused} />;
  }
}

function Told({ mark, kind, text }: { mark: string; kind: 'on' | 'off'; text: string }) {
  return (
    <span class={`connection ${kind}`}>
      <span aria-hidden="true">{mark}</span> {text}
    </span>
  );
}
