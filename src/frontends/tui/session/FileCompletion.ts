import { setTimeout as delay, setImmediate as yieldToKeys } from 'node:timers/promises';

const MOST_OFFERED = 30;
/** Age at which a list of files is made again, while the old one is used. */
const STALE_MILLISECONDS = 5000;
/** A menu waits no longer for its first list; the next key finds it. */
const PATIENCE_MILLISECONDS = 200;
/** Paths that are worked on before keys are taken again. */
const BATCH = 1000;

/** A path that can be named: a file, or a folder with `/` at its end. */
interface Candidate {
  readonly path: string;
  readonly folded: string;
}

/** Lists of paths, by the number of folders they are in. */
type Candidates = ReadonlyArray<readonly Candidate[]>;

/** Finds files and folders by what is typed of their path. Making the list never holds up the keys. */
export class FileCompletion {
  readonly #listFiles: () => Promise<readonly string[]>;
  #candidates: Candidates = [];
  #listing: Promise<void> | null = null;
  #listedAt = Number.NEGATIVE_INFINITY;

  constructor(listFiles: () => Promise<readonly string[]>) {
    this.#listFiles = listFiles;
  }

  /** Makes the list, or makes it again, if it is time. Resolves when it can be used. */
  async prepare(): Promise<void> {
    if (performance.now() - this.#listedAt < STALE_MILLISECONDS) return;
    this.#listing ??= this.#list().finally(() => {
      this.#listing = null;
    });
    if (this.#candidates.length === 0) await Promise.race([this.#listing, delay(PATIENCE_MILLISECONDS)]);
  }

  /** The paths of the list that are meant most likely, best first. */
  find(typed: string): readonly string[] {
    return rankPaths(this.#candidates, typed.toLowerCase().replace(/^\.\//u, ''));
  }

  async #list(): Promise<void> {
    // Files that cannot be listed are not offered; that is all that is lost.
    this.#candidates = await collectCandidates(await this.#listFiles().catch(() => []));
    this.#listedAt = performance.now();
  }
}

/** Files and the folders they are in, by depth: those near the top are found first. */
async function collectCandidates(files: readonly string[]): Promise<Candidates> {
  const candidates: Candidate[][] = [];
  const folders = new Map<string, number>([['', 0]]);
  const add = (path: string, depth: number) => {
    candidates[depth] ??= [];
    candidates[depth].push({ path, folded: path.toLowerCase() });
  };
  /** Adds a folder and those around it, once. Returns the depth of what is in it. */
  const enter = (folder: string): number => {
    const known = folders.get(folder);
    if (known !== undefined) return known;
    const depth = enter(folder.slice(0, folder.lastIndexOf('/', folder.length - 2) + 1));
    folders.set(folder, depth + 1);
    add(folder, depth);
    return depth + 1;
  };
  for (const [index, file] of files.entries()) {
    add(file, enter(file.slice(0, file.lastIndexOf('/') + 1)));
    if (index % BATCH === BATCH - 1) await yieldToKeys();
  }
  return candidates;
}

/** Beginnings of paths come first, then beginnings of names, then what is anywhere in a path. */
function rankPaths(candidates: Candidates, typed: string): readonly string[] {
  const ranks: [string[], string[], string[]] = [[], [], []];
  for (const level of typed === '' ? candidates.slice(0, 1) : candidates)
    for (const { path, folded } of level) {
      // A path that is whole needs no menu, which would take the Enter that sends it.
      if (folded === typed && !typed.endsWith('/')) return [];
      const rank = rankOf(folded, typed);
      if (rank === undefined || ranks[rank].length >= MOST_OFFERED) continue;
      ranks[rank].push(path);
      if (ranks[0].length >= MOST_OFFERED) return ranks[0];
    }
  return ranks.flat().slice(0, MOST_OFFERED);
}

function rankOf(folded: string, typed: string): 0 | 1 | 2 | undefined {
  const place = folded.indexOf(typed);
  if (place === -1 || folded === typed) return undefined;
  if (place === 0) return 0;
  const name = folded.slice(folded.lastIndexOf('/', folded.length - 2) + 1);
  return name.startsWith(typed) ? 1 : 2;
}
