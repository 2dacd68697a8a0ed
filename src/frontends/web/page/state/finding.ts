import { signal } from '@preact/signals';

/** Whether the field that finds a text in the conversation is open. */
export const isFinding = signal(false);
