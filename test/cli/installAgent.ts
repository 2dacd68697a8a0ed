import { chmodSync } from 'node:fs';
import type { Machine } from './runHuddle.js';

/** Puts a program on PATH that answers by its first argument. */
export function installAgent(
  machine: Machine,
  name: string,
  answers: Readonly<Record<string, string>>,
): void {
  const cases = Object.entries(answers).map(([word, answer]) => `${word}) echo '${answer}';;`);
  const file = machine.write(`../bin/${name}`, `#!/bin/sh\ncase "$1" in ${cases.join(' ')} esac\n`);
  chmodSync(file, 0o755);
}
