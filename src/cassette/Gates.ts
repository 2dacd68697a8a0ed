interface Gate {
  readonly isReached: () => boolean;
  readonly pass: () => void;
}

/** Holds back what waits for a condition until that holds. Conditions are looked at when something has happened. */
export class Gates {
  readonly #gates = new Set<Gate>();

  /** Settles when the condition holds. */
  wait(isReached: () => boolean): Promise<void> {
    return new Promise((pass) => {
      this.#gates.add({ isReached, pass });
      this.check();
    });
  }

  check(): void {
    for (const gate of [...this.#gates]) if (gate.isReached()) this.#pass(gate);
  }

  #pass(gate: Gate): void {
    this.#gates.delete(gate);
    gate.pass();
  }
}
