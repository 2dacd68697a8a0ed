import { dirname, resolve } from 'node:path';
import type { LoadedTeam, LoadOptions, TeamFileText } from '../../config/loadTeamFile.js';

/** The wish of a command line about where sessions are. */
export interface StoreWish {
  /** The value of --store. */
  readonly name?: string | undefined;
  /** The value of --team. */
  readonly teamFile?: string | undefined;
}

/** A team file that serves a folder. */
export interface TeamLocation {
  readonly file: string;
  /** The configuration of the user names it, and the folder has none of its own. */
  readonly isDefault: boolean;
}

/** A folder with its team file, which is looked for and opened once, whoever asks: so all see one team. */
export class Project {
  readonly #folder: string;
  readonly #defaultTeam: string | undefined;
  #own: Promise<string | undefined> | undefined;
  readonly #opened = new Map<string, Promise<TeamFileText>>();

  /** @param defaultTeam team file of the user, for folders without one */
  constructor(folder: string, defaultTeam?: string) {
    this.#folder = folder;
    this.#defaultTeam = defaultTeam;
  }

  /** Its own team file or one in a folder above, else the user's default team. */
  async locate(): Promise<TeamLocation | undefined> {
    const own = await this.#findOwn();
    if (own !== undefined) return { file: own, isDefault: false };
    return this.#defaultTeam === undefined ? undefined : { file: this.#defaultTeam, isDefault: true };
  }

  /** The file that is named, relative to this folder; without a name the one that serves it. */
  async fileOf(named: string | undefined): Promise<string | undefined> {
    return named === undefined ? (await this.locate())?.file : resolve(this.#folder, named);
  }

  /** The folders whose sessions count as those of this one: itself, and that of the team file above. */
  async folders(): Promise<readonly string[]> {
    const own = await this.#findOwn();
    return own === undefined ? [this.#folder] : [this.#folder, dirname(own)];
  }

  /** A team of a file that serves this folder. Rejects with TeamFileError. */
  async load(file: string, options: LoadOptions): Promise<LoadedTeam> {
    const { resolveTeamFile } = await loadConfig();
    return resolveTeamFile(await this.#open(file), options);
  }

  /** The name of the shared store in a team file. What else is wrong with the file is for `load` to say. */
  async storeNameIn(file: string): Promise<string | undefined> {
    const { storeNameIn } = await loadConfig();
    return storeNameIn(await this.#open(file));
  }

  async #findOwn(): Promise<string | undefined> {
    this.#own ??= loadConfig().then(({ findTeamFile }) => findTeamFile(this.#folder));
    return this.#own;
  }

  async #open(file: string): Promise<TeamFileText> {
    const { openTeamFile } = await loadConfig();
    const opened = this.#opened.get(file) ?? openTeamFile(file);
    this.#opened.set(file, opened);
    return opened;
  }
}

/** Loaded by commands that need a team file: many do not. */
const loadConfig = () => import('../../config/loadTeamFile.js');
