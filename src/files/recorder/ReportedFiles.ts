import { isAbsolute, relative, resolve, sep } from 'node:path';
import type { Notice } from '../../models/ConversationEvent.js';
import type { MemberId, TurnId } from '../../models/ids.js';
import type { FilePlace } from '../Workspace.js';

/** A running turn that reports files. */
interface ReportingTurn extends FilePlace {
  readonly turnId: TurnId;
  readonly memberId: MemberId;
  /** Names of the folder it works in: as it was given, and with links resolved. */
  readonly folders: readonly string[];
}

/** The files that agents themselves say they changed, by turn. */
export class ReportedFiles {
  readonly #paths = new Map<TurnId, Set<string>>();
  readonly #writers = new Map<string, MemberId>();
  readonly #collisions = new Set<string>();

  /** Paths of a turn, relative to its folder. */
  of(turnId: TurnId): ReadonlySet<string> {
    return this.#paths.get(turnId) ?? new Set();
  }

  /** Begins with turns that have reported nothing yet. */
  begin(): void {
    this.#writers.clear();
    this.#collisions.clear();
  }

  /** Drops the paths of turns that are recorded. */
  forget(turnIds: readonly TurnId[]): void {
    for (const turnId of turnIds) this.#paths.delete(turnId);
  }

  /** Takes a report. Says so, once a file, when another turn of the same folder reported it too. */
  add({ turnId, memberId, copyOf, folders }: ReportingTurn, path: string): Notice[] {
    const file = pathIn(folders, path);
    if (file === undefined) return [];
    this.#paths.set(turnId, new Set(this.#paths.get(turnId)).add(file));
    const key = JSON.stringify([copyOf, file]);
    const other = this.#writers.get(key) ?? memberId;
    this.#writers.set(key, other);
    if (other === memberId || this.#collisions.has(key)) return [];
    this.#collisions.add(key);
    return [{ type: 'notice', code: 'file-collision', path: file, memberIds: [other, memberId] }];
  }
}

/** As records name the file: relative to the folder, with "/". Undefined: it is not in the folder. */
function pathIn(folders: readonly string[], path: string): string | undefined {
  const [folder = '.'] = folders;
  const file = resolve(folder, path);
  for (const root of folders) {
    const inside = relative(root, file);
    if (inside !== '' && !isAbsolute(inside) && inside.split(sep)[0] !== '..')
      return inside.split(sep).join('/');
  }
  return undefined;
}
