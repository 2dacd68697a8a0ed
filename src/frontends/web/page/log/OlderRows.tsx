import { useEffect, useState } from 'preact/hooks';
import { words } from '../../../../catalogue/words.js';
import { useLogView } from './LogView.js';

/** Loads older rows when the oldest one comes near, and says so above it. */
export function OlderRows({ isNear }: { readonly isNear: boolean }) {
  const { conversation } = useLogView();
  const [refusal, setRefusal] = useState('');
  const oldest = conversation.rows.value[0]?.seq;
  const load = () => {
    setRefusal('');
    conversation.loadOlder().catch((error: Error) => setRefusal(error.message));
  };
  useEffect(() => {
    if (isNear && conversation.hasOlder.value) load();
  }, [isNear, oldest]);
  if (!conversation.hasOlder.value) return null;
  if (refusal === '') return <p class="older">{words.webLog.loadingOlder}</p>;
  return (
    <p class="older" role="alert">
      {words.webLog.notLoaded(refusal)}{' '}
      <button type="button" class="quiet-button" onClick={load}>
        {words.webLog.tryAgain}
      </button>
    </p>
  );
}
