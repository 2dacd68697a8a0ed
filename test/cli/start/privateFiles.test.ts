import { expect, test } from 'vitest';
import { privateFiles } from '../../../src/cli/start/paths.js';
import { resolveWorkerFile } from '../../../src/config/loadWorkerFile.js';
import { resolveKeyFile } from '../../../src/config/machineKey.js';
import { resolveStoresFile } from '../../../src/config/stores.js';

test('the key, the names of stores and the worker file are hidden from agents', () => {
  const configFile = '/home/kim/.config/huddle/config.jsonc';
  expect(privateFiles({ configFile })).toEqual(
    [resolveKeyFile, resolveStoresFile, resolveWorkerFile].map((resolve) => resolve(configFile)),
  );
  expect(privateFiles({})).toEqual([]);
});
