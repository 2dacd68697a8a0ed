import type { Store } from '../Store.js';
import type { SharedStore } from './SharedStore.js';

/** Whether processes of other machines use this store as well. */
export function isShared(store: Store): store is SharedStore {
  return 'presence' in store;
}
