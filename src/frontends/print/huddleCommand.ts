/** A command as it is typed in a shell. `sessionId` names a session that is not the latest, which commands take by themselves. */
export function huddleCommand(sessionId?: string): (name: string, what: string) => string {
  const session = sessionId === undefined ? '' : ` --session ${sessionId}`;
  return (name, what) => `huddle ${name} ${what}${session}`;
}
