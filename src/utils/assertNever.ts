/** Closes a switch over a union: a new member makes every place that owes an answer a type error. */
export function assertNever(value: never): never {
  throw new TypeError(`Unexpected value: ${JSON.stringify(value)}`);
}
