import { createRewriter } from './unsafeCharacters.js';

const escapeUnsafe = createRewriter((code) =>
  Array.from(
    { length: code > 0xffff ? 2 : 1 },
    (_, index) => `\\u${String.fromCodePoint(code).charCodeAt(index).toString(16).padStart(4, '0')}`,
  ).join(''),
);

/**
 * JSON for standard output: parsed, it is the same value, and it holds nothing that a terminal, a page or an
 * editor would act upon.
 */
export function formatJson(value: unknown, indent?: number): string {
  return escapeUnsafe(JSON.stringify(value, null, indent));
}
