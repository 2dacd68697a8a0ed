import { signal } from '@preact/signals';

/** Whether the server knows this browser no longer: cookie and key die with its process. */
export const isLockedOut = signal(false);
