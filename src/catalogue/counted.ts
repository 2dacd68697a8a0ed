/** `1 turn`, `2 turns`, `1,200 tokens`: a number, as it is or formatted already, and what there are so many of. */
export function counted(count: number | string, one: string, several = `${one}s`): string {
  return `${count} ${String(count) === '1' ? one : several}`;
}
