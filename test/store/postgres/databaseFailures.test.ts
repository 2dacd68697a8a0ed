import { expect, onTestFinished, test } from 'vitest';
import { PostgresDatabase } from '../../../src/store/postgres/PostgresDatabase.js';
import { describePostgres } from '../../postgres/describePostgres.js';

describePostgres('a server that answers and cannot', (server) => {
  test.each([
    [
      '53100',
      'could not extend file "base/1": No space left on device',
      'disk',
      /^The disk of .* is full\./u,
    ],
    ['53200', 'out of memory', 'memory', /^The server of .* is out of memory\./u],
    [
      '53300',
      'sorry, too many clients already',
      'connections',
      /^The server of .* has no free connection\./u,
    ],
    ['53400', 'temporary file size exceeds temp_file_limit', 'resources', /has reached one of its limits\./u],
  ])(
    'with %s says what it has not enough of, not that it is out of reach',
    async (state, said, lack, sentence) => {
      const database = new PostgresDatabase(server().url());
      onTestFinished(() => database.close());
      const failing = database.query(
        `DO $$ BEGIN RAISE EXCEPTION '${said}' USING ERRCODE = '${state}'; END $$`,
      );
      const error = await failing.catch((reason: unknown) => reason);
      expect(error).toMatchObject({
        code: 'STORE_OUT_OF_REACH',
        facts: { detail: said, lack },
        message: expect.stringMatching(sentence),
      });
      expect(String(error)).not.toMatch(/out of reach|Check your network/u);
    },
  );
});
