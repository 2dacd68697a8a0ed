import { useSignal, useSignalEffect } from '@preact/signals';
import type { ListedConversation } from '../../wire.js';
import { call } from '../api.js';
import { formatPlace } from '../state/place.js';

/** All sessions. */
export function SessionsScreen() {
  const listed = useSignal<readonly ListedConversation[]>([]);
  useSignalEffect(() => {
    void call('list', {}).then(({ conversations }) => {
      listed.value = conversations;
    });
  });
  return (
    <main>
      {listed.value.map(({ id, title }) => (
        <p key={id}>
          <a href={formatPlace({ conversation: id })}>{title}</a>
        </p>
      ))}
    </main>
  );
}
