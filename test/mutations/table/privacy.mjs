const DEBUG_TEST = 'test/cli/debug.test.ts';
const TO_A_FILE = '--debug-file writes them to a file only its owner can read';

/** Secrets, and files that are nobody else's. */
export const privacy = [
  {
    name: 'errors are not masked',
    file: 'src/cli/reportError.ts',
    find: 'redactSecrets(words.cli.error(code, message), secretValues(env))',
    replace: 'words.cli.error(code, message)',
    test: 'test/cli/errors.test.ts',
    title: 'an error masks a key in the place of a command that was given as an argument',
    built: true,
  },
  {
    name: 'the debug file is not masked',
    file: 'src/cli/createLogger.ts',
    find: 'redactSecrets(message, secrets)',
    replace: 'message',
    test: DEBUG_TEST,
    title: TO_A_FILE,
    built: true,
  },
  {
    name: 'the stderr of agents is not masked',
    file: 'src/agents/process/judgeTurn.ts',
    find: 'redactSecrets(stderr, secrets)',
    replace: 'stderr',
    test: 'test/agents/process/runDialectTurn.test.ts',
    title: 'a failure shows no secrets',
  },
  {
    name: 'every agent gets the keys of every vendor',
    file: 'src/agents/process/environment.ts',
    find: 'return !ALL_CREDENTIALS.has(name);',
    replace: 'return true;',
    test: 'test/agents/process/environment.test.ts',
    title: "has no other vendor's credentials",
  },
  {
    name: 'others may read the store',
    file: 'src/store/sqlite/openDatabase.ts',
    find: 'FILE_MODE = 0o600',
    replace: 'FILE_MODE = 0o644',
    test: 'test/store/sqlite/SqliteStore.test.ts',
    title: 'is for its owner only under umask 022, from the beginning',
  },
  {
    name: 'others may read the temporary files of a turn',
    file: 'src/agents/process/temporaryFiles.ts',
    find: 'mode: 0o600',
    replace: 'mode: 0o644',
    test: 'test/agents/process/temporaryFiles.test.ts',
    title: 'can be read by this user only, whatever the umask, and go away',
  },
  {
    name: 'others may read an export',
    file: 'src/cli/commands/export.ts',
    find: 'FILE_MODE = 0o600',
    replace: 'FILE_MODE = 0o644',
    test: 'test/cli/export.test.ts',
    title: 'give back exactly what was there',
    built: true,
  },
  {
    name: 'others may read the debug file',
    file: 'src/cli/createLogger.ts',
    find: 'FILE_MODE = 0o600',
    replace: 'FILE_MODE = 0o644',
    test: DEBUG_TEST,
    title: TO_A_FILE,
    built: true,
  },
];
