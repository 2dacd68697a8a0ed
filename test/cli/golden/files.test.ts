import { playTable } from './playTable.js';

playTable({
  diff: {
    'nothing is installed': { 'huddle diff --help': 0, 'huddle diff': 2, 'huddle diff --sta': 2 },
    'a session is kept': { 'huddle diff': 0, 'huddle diff 1': 0 },
    'turns changed files': {
      'huddle diff 1': 0,
      'huddle diff 1..2 --stat': 0,
      'huddle diff all --names': 0,
      'huddle diff 2 --json --session abcd': 0,
      'huddle diff 1 -- new.ts': 0,
      'huddle diff 1 -- old.ts': 2,
      'huddle diff 9': 2,
      'huddle diff --stat --names': 2,
    },
  },

  undo: {
    'nothing is installed': { 'huddle undo --help': 0, 'huddle undo': 2 },
    'a session is kept': { 'huddle undo --yes': 1 },
    'turns changed files': {
      'huddle undo': 2,
      'huddle undo 1 --yes': 1,
      'huddle undo 2 --dry-run': 0,
      'huddle undo --yes --session abcd': 0,
      'huddle undo undo-1 --yes --json': 0,
      'huddle undo 3..4 --yes': 2,
      'huddle undo 1..2 --yes': 0,
      'huddle undo turn-1 --yes': 1,
      'huddle undo everything': 2,
    },
    'a session is open in another process': { 'huddle undo --yes': 75 },
  },

  apply: {
    'nothing is installed': { 'huddle apply --help': 0, 'huddle apply': 2 },
    'turns changed files': {
      'huddle apply 1 --yes': 1,
      'huddle apply 3 --yes': 0,
      'huddle apply 4 --dry-run --json': 0,
      'huddle apply 4': 2,
      'huddle apply 4 --yes --session abcd': 0,
      'huddle apply 4 --yes': 1,
    },
  },

  commit: {
    'nothing is installed': { 'huddle commit --help': 0, 'huddle commit --message Mine': 2 },
    'turns changed files': {
      'huddle commit': 1,
      'huddle commit 99': 2,
      'huddle commit 1..2 --session abcd': 2,
      'huddle commit 1 -m Mine': 1,
      'huddle commit 3 -m Mine': 1,
      // Git prints the hash of the commit, which depends on the time.
      'huddle commit 1..2 --session abcd --message "Limit the size" > /dev/null': 0,
    },
  },
});
