/** The name of a turn of another process in Chinese; it is written down in English: `turn-3 of session 9f3c`. */
export function nameTurn(turn: string): string {
  return turn.replace(/^(\S+) of session (\S+)$/u, '会话 $2 的 $1');
}
