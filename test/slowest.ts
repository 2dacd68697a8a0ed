import type { Reporter, TestModule } from 'vitest/node';

const SHOWN = 10;

/** Prints how long the tests took, and which files took longest. */
export default class Slowest implements Reporter {
  readonly #began = performance.now();

  onTestRunEnd(modules: readonly TestModule[]): void {
    const slowest = modules.toSorted((one, other) => timeOf(other) - timeOf(one)).slice(0, SHOWN);
    const lines = slowest.map(
      (module) => `${seconds(timeOf(module)).padStart(8)}  ${module.relativeModuleId}`,
    );
    console.log(
      `\n Took ${seconds(performance.now() - this.#began)}. The slowest files:\n${lines.join('\n')}\n`,
    );
  }
}

function timeOf(module: TestModule): number {
  return module.diagnostic().duration;
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}
