/** Values that are there already, or that come one after the other. */
export type AnyIterable<Value> = Iterable<Value> | AsyncIterable<Value>;

/** The same values for readers that wait for each; made only as they are asked for. */
export function toAsync<Value>(values: Iterable<Value>): AsyncIterable<Value> {
  return {
    [Symbol.asyncIterator]() {
      const iterator = values[Symbol.iterator]();
      return {
        next: async () => iterator.next(),
        return: async () => iterator.return?.() ?? { done: true, value: undefined },
      };
    },
  };
}

export async function toArray<Value>(values: AnyIterable<Value>): Promise<Value[]> {
  const array: Value[] = [];
  for await (const value of values) array.push(value);
  return array;
}
