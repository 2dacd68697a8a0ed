/** The wish of a command line about where sessions are. */
export interface StoreWish {
  /** The value of --store. */
  readonly name?: string | undefined;
  /** The value of --team. */
  readonly teamFile?: string | undefined;
}
