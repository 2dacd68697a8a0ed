import { expect, test } from 'vitest';
import { paintPatch, wantsColour } from '../../../src/frontends/lines/paint.js';

const terminal = { isTTY: true };
const pipe = { isTTY: false };

test.each([
  [terminal, {}, undefined, true],
  [pipe, {}, undefined, false],
  [terminal, {}, 'never', false],
  [pipe, {}, 'always', true],
  [terminal, { NO_COLOR: '1' }, 'always', false],
  [terminal, { FORCE_COLOR: '1' }, 'never', true],
] as const)('%j with %j and the setting %j wants colour: %j', (stream, env, colours, expected) => {
  expect(wantsColour(stream, env, colours)).toBe(expected);
});

const PATCH = `diff --git a/x b/x
--- a/x
+++ b/x
@@ -1,3 +1,3 @@ main
 kept
---\u001b[2J a/x
+\u202enew${'y'.repeat(3000)}
\\ No newline at end of file
`;

test('every line of a diff has the colour of what it is, and none can act on the terminal', () => {
  const painted = [...paintPatch(PATCH, (role, text) => `${role}|${text}`)];
  expect(painted).toEqual([
    'strong|diff --git a/x b/x',
    'strong|--- a/x',
    'strong|+++ b/x',
    'place|@@ -1,3 +1,3 @@ main',
    ' kept',
    'bad|---␛[2J a/x',
    `good|+<U+202E>new${'y'.repeat(1995)}…`,
    'strong|\\ No newline at end of file',
  ]);
});
