import { expect, test } from 'vitest';
import { root } from '../cli/runHuddle.js';
import { makeTemporaryFolder } from '../config/temporaryFolder.js';
import { describePostgres } from '../postgres/describePostgres.js';
import type { TestPostgres } from '../postgres/TestPostgres.js';

interface Capacity {
  runCapacity(
    server: Pick<TestPostgres, 'url' | 'admin'>,
    options: {
      readonly folder: string;
      readonly conversations: number;
      readonly workers: number;
      readonly atOnce: number;
      readonly accounts: Readonly<Record<string, number>>;
      readonly hasPatience: boolean;
    },
  ): Promise<{
    readonly started: number;
    readonly ended: number;
    readonly odd: number;
    readonly doubled: number;
    readonly mostAtOnce: Readonly<Record<string, number>>;
    readonly shares: readonly number[];
  }>;
}

const { runCapacity }: Capacity = await import(`${root}bench/machines/capacity.mjs`);

describePostgres('many conversations over a few workers', (server) => {
  test('none is lost, no turn is doubled and no account gets more than it has, also when a worker is killed', {
    timeout: 180_000,
  }, async () => {
    for (const role of ['ci', 'ci_fleet']) await server().createRole(role);
    const report = await runCapacity(server(), {
      folder: makeTemporaryFolder(),
      conversations: 40,
      workers: 3,
      atOnce: 6,
      accounts: { acme: 3, beta: 5 },
      hasPatience: false,
    });
    expect(report).toMatchObject({ started: 80, ended: 80, odd: 0, doubled: 0 });
    expect(report.mostAtOnce.acme).toBeLessThanOrEqual(3);
    expect(report.mostAtOnce.beta).toBeLessThanOrEqual(5);
    expect(report.shares).toHaveLength(2);
  });
});
