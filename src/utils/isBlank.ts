/** Nothing in it that anybody could read. */
export function isBlank(text: string): boolean {
  return !/\S/u.test(text);
}
