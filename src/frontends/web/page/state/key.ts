const STORED_KEY = 'huddle-key';

/** The key of this browser: half of what lets it in; the other half is a cookie. */
export function readKey(): string | undefined {
  return localStorage.getItem(STORED_KEY) ?? undefined;
}

export function keepKey(key: string | undefined): void {
  if (key === undefined) localStorage.removeItem(STORED_KEY);
  else localStorage.setItem(STORED_KEY, key);
}
