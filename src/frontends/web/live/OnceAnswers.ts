/** Answers that are remembered; those before are forgotten. */
const MOST_KEPT = 1000;

/** Answers of requests that are done only once: the same key again gets the same answer, also while the first is under way. */
export class OnceAnswers<Answer> {
  readonly #answers = new Map<string, Promise<Answer>>();

  /** Does it, unless that was done for this key. What failed did nothing, and may be tried again. */
  once(key: string, act: () => Promise<Answer>): Promise<Answer> {
    const known = this.#answers.get(key);
    if (known !== undefined) return known;
    const answer = act();
    this.#answers.set(key, answer);
    answer.catch(() => this.#answers.delete(key));
    for (const oldest of this.#answers.keys()) {
      if (this.#answers.size <= MOST_KEPT) break;
      this.#answers.delete(oldest);
    }
    return answer;
  }
}
