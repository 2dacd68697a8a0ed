/** Everything that looks like a new line to a reader, not only what we split at. */
export const LINE_BREAK = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/g;
