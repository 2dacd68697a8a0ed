/** A folder that holds more than is recorded. */
export class RecordLimitError extends Error {
  override readonly name = 'RecordLimitError';

  constructor(
    readonly reason: 'too-many-files' | 'too-much-content',
    /** Files or bytes that were found. */
    readonly found: number,
  ) {
    super(`${reason}: ${found}`);
  }
}
