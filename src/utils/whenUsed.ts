/** Makes a value when it is first asked for. Patterns of Unicode properties take up to milliseconds each, at every start. */
export function whenUsed<Value extends object>(create: () => Value): () => Value {
  let value: Value | undefined;
  return () => {
    value ??= create();
    return value;
  };
}
