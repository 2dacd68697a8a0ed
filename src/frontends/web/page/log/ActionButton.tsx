import { useState } from 'preact/hooks';
import { call } from '../api.js';
import { useLogView } from './LogView.js';

interface ActionButtonProps {
  readonly action: 'resume' | 'retry';
  readonly label: string;
}

/** Asks the conversation to go on; says why it does not. */
export function ActionButton({ action, label }: ActionButtonProps) {
  const { conversation } = useLogView();
  const [refusal, setRefusal] = useState('');
  const [isAsked, setAsked] = useState(false);
  if (conversation.readOnly.value !== undefined) return null;
  const ask = () => {
    setAsked(true);
    call('act', { params: { id: conversation.id }, body: { do: action } })
      .then(
        () => setRefusal(''),
        (error: Error) => setRefusal(error.message),
      )
      .finally(() => setAsked(false));
  };
  return (
    <p class="action">
      <button type="button" disabled={isAsked} onClick={ask}>
        {label}
      </button>
      {refusal === '' ? null : <span role="alert">{refusal}</span>}
    </p>
  );
}
