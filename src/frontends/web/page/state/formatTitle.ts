/** `(2) Refuse large uploads · Huddle`. */
export function formatTitle(waiting: number, conversation: string): string {
  const name = conversation === '' ? 'Huddle' : `${conversation} · Huddle`;
  return waiting === 0 ? name : `(${waiting}) ${name}`;
}
