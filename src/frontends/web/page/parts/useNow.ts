import { useEffect, useState } from 'preact/hooks';

const SECOND = 1000;

/** The time, by the second while it is needed; a page without a clock does nothing. */
export function useNow(isNeeded: boolean): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!isNeeded) return;
    setNow(Date.now());
    const clock = setInterval(() => setNow(Date.now()), SECOND);
    return () => clearInterval(clock);
  }, [isNeeded]);
  return now;
}
