import { expect, test } from 'vitest';
import { wantsColour } from '../../../src/frontends/lines/paint.js';

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
