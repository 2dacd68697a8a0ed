import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Invited } from '../../wire.js';
import { call } from '../api.js';
import { explainRefusal } from '../state/alerts.js';
import { pageWords as words } from '../state/language.js';
import { CopyButton } from './controls.js';

interface DialogProps {
  readonly title: string;
  readonly children: ComponentChildren;
  readonly onClose: () => void;
}

/** A question over the page. Esc closes it, and the focus returns to where it was. */
export function Dialog({ title, children, onClose }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const shown = dialog.current;
    const before = document.activeElement;
    shown?.showModal();
    return () => {
      shown?.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
      else document.querySelector<HTMLElement>('main')?.focus();
    };
  }, []);
  return (
    <dialog ref={dialog} class="dialog" aria-label={title} onClose={onClose}>
      <h2>{title}</h2>
      {children}
    </dialog>
  );
}

/** Makes an address with a code for one more browser. */
export function InviteDialog({ onClose }: { readonly onClose: () => void }) {
  const invited = useSignal<Invited | undefined>(undefined);
  const failure = useSignal<unknown>(undefined);
  const { invite } = words.web;
  const ask = async (role: Invited['role']) => {
    try {
      invited.value = await call('invite', { body: { role } });
      failure.value = undefined;
    } catch (error) {
      failure.value = error;
    }
  };
  return (
    <Dialog title={invite.title} onClose={onClose}>
      <p class="soft">{invite.explain}</p>
      <div class="button-row">
        {(['full', 'watch'] as const).map((role) => (
          <button
            key={role}
            type="button"
            class="button choice"
            aria-pressed={invited.value?.role === role}
            onClick={() => ask(role)}
          >
            <strong>{invite.roles[role].name}</strong>
            <span class="soft">{invite.roles[role].means}</span>
          </button>
        ))}
      </div>
      {invited.value !== undefined && (
        <>
          <CopyField label={invite.address} text={`${location.origin}${invited.value.path}`} />
          <p class="soft">{invite.once}</p>
        </>
      )}
      <p role="alert" class="bad">
        {failure.value === undefined ? '' : explainRefusal(failure.value)}
      </p>
      <form method="dialog" class="button-row end">
        <button type="submit" class="button">
          {words.web.close}
        </button>
      </form>
    </Dialog>
  );
}

/** A text to take elsewhere: an address, a command. */
export function CopyField({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    <div class="field-row">
      <input
        class="mono"
        readOnly
        aria-label={label}
        value={text}
        onFocus={({ currentTarget }) => currentTarget.select()}
      />
      <CopyButton text={text} />
    </div>
  );
}
