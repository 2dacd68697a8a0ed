export interface Broadcast<Event> {
  /**
   * Calls every listener in the order in which they came; what one throws reaches `onError`, and the others still hear.
   * What a listener sends meanwhile comes after all these, so that everybody hears everything in the same order.
   */
  send(...events: readonly Event[]): void;
  /** Returns the function that ends the subscription. */
  subscribe(listener: (event: Event) => void): () => void;
}

export function createBroadcast<Event>(onError: (error: unknown) => void): Broadcast<Event> {
  const listeners = new Set<(event: Event) => void>();
  const waiting: Event[] = [];
  let isSending = false;
  const deliver = (event: Event): void => {
    for (const listener of [...listeners]) {
      try {
        listener(event);
      } catch (error) {
        onError(error);
      }
    }
  };
  return {
    send(...events) {
      for (const event of events) waiting.push(event);
      if (isSending) return;
      isSending = true;
      try {
        for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) deliver(next);
      } finally {
        isSending = false;
      }
    },
    subscribe(listener) {
      // A wrapper of its own, so that the same function can be subscribed twice.
      const own = (event: Event) => listener(event);
      listeners.add(own);
      return () => listeners.delete(own);
    },
  };
}
