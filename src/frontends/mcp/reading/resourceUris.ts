/** A session, or what was sent in one of its turns. */
export interface ResourceTarget {
  readonly session: string;
  readonly turn?: string;
}

export const SESSION_TEMPLATE = 'huddle://session/{id}';
export const TURN_TEMPLATE = 'huddle://session/{id}/turn/{number}';

/** As ids and turns are written; nothing else can be one. */
const TARGET = /^huddle:\/\/session\/([A-Za-z0-9-]{1,64})(?:\/turn\/(\d{1,9}))?$/u;

export function sessionUri(session: string): string {
  return `huddle://session/${session}`;
}

/** The session or turn that an address names; undefined if it is none of ours. */
export function parseUri(uri: string): ResourceTarget | undefined {
  const [, session, turn] = TARGET.exec(uri) ?? [];
  if (session === undefined) return undefined;
  return turn === undefined ? { session } : { session, turn };
}
