import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SessionTotals } from '../../models/AgentEvent.js';
import { NO_TOKENS } from '../../models/usageFigures.js';

/** The state of one session that a simulated agent remembers between its processes. */
export interface RehearsedSession {
  readonly sessionId: string;
  readonly totals: Required<SessionTotals>;
}

export const noTotals: Required<SessionTotals> = { ...NO_TOKENS, usd: 0 };

/** Sessions and the number of turns played, as small files in a folder. Without a folder nothing is kept. */
export class SessionFiles {
  readonly #folder: string | undefined;

  constructor(folder: string | undefined) {
    this.#folder = folder;
    if (folder) mkdirSync(folder, { recursive: true, mode: 0o700 });
  }

  get isKept(): boolean {
    return this.#folder !== undefined;
  }

  find(sessionId: string): RehearsedSession | undefined {
    return this.#read<RehearsedSession>(`session-${digest(sessionId)}.json`);
  }

  save(session: RehearsedSession): void {
    this.#write(`session-${digest(session.sessionId)}.json`, session);
  }

  /** The number of turns this member has played before. */
  turnsOf(memberName: string): number {
    return this.#read<number>(turnsFile(memberName)) ?? 0;
  }

  /** The same, counting this one for the next time. */
  countTurn(memberName: string): number {
    const played = this.turnsOf(memberName);
    this.#write(turnsFile(memberName), played + 1);
    return played;
  }

  #read<Value>(file: string): Value | undefined {
    if (!this.#folder) return undefined;
    try {
      return JSON.parse(readFileSync(join(this.#folder, file), 'utf8')) as Value; // Only we write here.
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  }

  /** All or nothing: a reader finds the old file or the new one, also after a crash. */
  #write(file: string, value: unknown): void {
    if (!this.#folder) return;
    const target = join(this.#folder, file);
    const temporary = `${target}.${randomUUID()}`;
    writeFileSync(temporary, JSON.stringify(value), { mode: 0o600, flag: 'wx' });
    renameSync(temporary, target);
  }
}

function turnsFile(memberName: string): string {
  return `turns-${digest(memberName)}.json`;
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
