import { computed, signal } from '@preact/signals';
import type { WhoAmI } from '../../wire.js';
import { call, isLockedOut, keepKey, readKey } from '../api.js';

/** The person at this browser, as the server knows them; absent until it has answered. */
export const me = signal<WhoAmI | undefined>(undefined);

/** Whether the page may be used: `login` asks for a code; `restarted` keeps what is on the screen, and locks it. */
export type Access = 'asking' | 'login' | 'in' | 'restarted';

export const access = computed<Access>(() => {
  const isKnown = me.value !== undefined;
  if (isLockedOut.value) return isKnown ? 'restarted' : 'login';
  return isKnown ? 'in' : 'asking';
});

/** Whether this browser may change something. */
export const canAct = computed(() => access.value === 'in' && me.value?.role === 'full');

/** Lets this browser in: with the code of the address, which is removed from it at once, or with the key it has. */
export async function enter(): Promise<void> {
  const code = takeCode();
  if (code !== undefined) await submitCode(code).catch(enterByKey);
  else if (readKey() === undefined) isLockedOut.value = true;
  else await learnWho();
}

/** An address that was used before is opened again by the browser that it let in. Rejects with the refusal if that is not so. */
async function enterByKey(refusal: unknown): Promise<void> {
  if (readKey() === undefined) throw refusal;
  await learnWho().catch(() => {
    throw refusal;
  });
  isLockedOut.value = false;
}

/** Exchanges a code for a key. Rejects with a `RefusedRequest`. */
export async function submitCode(code: string): Promise<void> {
  // A whole address that was pasted has the code at its end.
  const typed = code.trim().replace(/^.*#code=/u, '');
  try {
    const { key } = await call('login', { body: { code: typed } });
    keepKey(key);
  } catch (error) {
    isLockedOut.value = true;
    throw error;
  }
  isLockedOut.value = false;
  await learnWho();
}

/** Asks again who this is and which team is here: a team file may have been written meanwhile. */
export async function learnWho(): Promise<void> {
  me.value = await call('whoAmI', {});
}

function takeCode(): string | undefined {
  const code = /^#code=(.+)$/u.exec(location.hash)?.[1];
  if (code === undefined) return undefined;
  history.replaceState(null, '', location.pathname);
  return decodeURIComponent(code);
}
