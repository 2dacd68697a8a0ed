import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface, type Interface } from 'node:readline';
import type { LeaseTimes } from '../../../src/store/postgres/PostgresPresence.js';

/** A running `holderProgram`, and what it has told so far. */
export class HolderProcess {
  readonly lines: string[] = [];
  readonly #child: ChildProcess;
  readonly #reader: Interface;
  readonly #isOver: Promise<unknown>;

  constructor(program: string, order: 'write' | 'open' | 'save', url: string, times: LeaseTimes) {
    this.#child = spawn(process.execPath, [program, order, url, JSON.stringify(times)], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.#isOver = once(this.#child, 'close');
    this.#reader = createInterface({ input: this.#child.stdout as NonNullable<ChildProcess['stdout']> });
    this.#reader.on('line', (line) => this.lines.push(line));
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** The first line that has this beginning, told already or to come. */
  async line(beginning: string): Promise<string> {
    for (;;) {
      const found = this.lines.find((line) => line.startsWith(beginning));
      if (found !== undefined) return found;
      await once(this.#reader, 'line');
    }
  }

  /** Resolves when so many lines were told. */
  async told(count: number): Promise<void> {
    while (this.lines.length < count) await once(this.#reader, 'line');
  }

  /** Number and sum of every event that was told to be kept. */
  get acknowledged(): readonly (readonly [seq: number, sum: number])[] {
    return this.lines
      .map((line) => line.split(' ').map(Number) as [number, number])
      .filter(([seq]) => Number.isInteger(seq));
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }

  async end(): Promise<void> {
    this.#child.stdin?.end();
    this.signal('SIGKILL');
    await this.#isOver;
  }

  /** Resolves when it has ended by itself. */
  async over(): Promise<void> {
    await this.#isOver;
  }
}
