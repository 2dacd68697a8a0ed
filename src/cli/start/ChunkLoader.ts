import { readFileSync } from 'node:fs';
import nodeModule from 'node:module';
import { join } from 'node:path';
import { Script } from 'node:vm';

export interface ChunkLoaderOptions {
  /** Code that V8 has compiled from this very source: another would be run in place of it. */
  readonly findCode?: (chunk: string, source: string) => Buffer | undefined;
  readonly onCompiled?: (chunk: string, source: string, script: Script) => void;
}

/** Loads chunks of the bundled program: CommonJS files of one folder, which require each other and modules of Node. */
export class ChunkLoader {
  readonly #folder: string;
  readonly #options: ChunkLoaderOptions;
  readonly #modules = new Map<string, { exports: object }>();

  constructor(folder: string, options: ChunkLoaderOptions) {
    this.#folder = folder;
    this.#options = options;
  }

  /** The exports of a chunk. What they are is for the caller to know. */
  load<Exports extends object>(chunk: string): Exports {
    return (this.#modules.get(chunk) ?? this.#run(chunk)).exports as Exports;
  }

  #run(chunk: string): { exports: object } {
    const filename = join(this.#folder, chunk);
    const source = readFileSync(filename, 'utf8');
    const cachedData = this.#options.findCode?.(chunk, source);
    // V8 compiles the source if it refuses the code, as it does under other flags.
    const script = new Script(nodeModule.wrap(source), { filename, cachedData });
    this.#options.onCompiled?.(chunk, source, script);
    const module = { exports: {} };
    this.#modules.set(chunk, module);
    script.runInThisContext()(module.exports, this.#require, module, filename, this.#folder);
    return module;
  }

  readonly #require = (id: string): object => {
    if (id.startsWith('./')) return this.load(id.slice(2));
    const builtin = process.getBuiltinModule(id);
    if (builtin === undefined) throw new Error(`The program has no module "${id}".`);
    return builtin;
  };
}
