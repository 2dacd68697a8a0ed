import { onTestFinished, vi } from 'vitest';

/** A browser's storage in memory: what the page keeps between reloads. */
export class BrowserStorage {
  readonly #kept = new Map<string, string>();
  isFull = false;

  getItem(key: string): string | null {
    return this.#kept.get(key) ?? null;
  }

  setItem(key: string, value: string): void {
    if (this.isFull) throw new DOMException('full', 'QuotaExceededError');
    this.#kept.set(key, value);
  }

  removeItem(key: string): void {
    this.#kept.delete(key);
  }

  get keys(): readonly string[] {
    return [...this.#kept.keys()];
  }
}

/** Gives the page a storage, for one test. */
export function giveStorage(): BrowserStorage {
  const storage = new BrowserStorage();
  vi.stubGlobal('localStorage', storage);
  onTestFinished(() => void vi.unstubAllGlobals());
  return storage;
}
