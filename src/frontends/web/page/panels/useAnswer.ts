import { useCallback, useEffect, useRef, useState } from 'preact/hooks';

/** The answer to a question as far as it has come. What was shown stays while it is asked again. */
export interface Answer<Value> {
  readonly value?: Value;
  readonly error?: unknown;
  readonly retry: () => void;
}

/**
 * Asks when the panel is shown, and again when `version` changes. With another `key` it is another question, and the answer
 * before is gone.
 */
export function useAnswer<Value>(
  key: string,
  version: number,
  ask: (signal: AbortSignal) => Promise<Value>,
): Answer<Value> {
  const [shown, setShown] = useState<{ key: string; value?: Value; error?: unknown }>({ key });
  const [tries, setTries] = useState(0);
  const asking = useRef(ask);
  asking.current = ask;
  useEffect(() => {
    const abort = new AbortController();
    asking.current(abort.signal).then(
      (value) => !abort.signal.aborted && setShown({ key, value }),
      (error: unknown) => !abort.signal.aborted && setShown({ key, error }),
    );
    return () => abort.abort();
  }, [key, version, tries]);
  const retry = useCallback(() => {
    setShown({ key });
    setTries((count) => count + 1);
  }, [key]);
  return shown.key === key ? { ...shown, retry } : { retry };
}
