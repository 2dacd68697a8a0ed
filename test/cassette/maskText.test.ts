import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createMask } from '../../src/cassette/maskText.js';
import { root } from '../docs/pages.js';
import { FALSE_FRIENDS, MARKED_SECRETS } from './markedSecrets.js';

const mask = createMask({});

describe('masking what looks like a secret', () => {
  it.each(MARKED_SECRETS)('masks the shape: %s', (_title, text = '', secret = text) => {
    for (const around of [text, `before ${text} after`, `(${text})`, JSON.stringify({ text })])
      expect(mask(around)).not.toContain(secret);
  });

  it('knows at least 40 shapes', () => {
    expect(MARKED_SECRETS.length).toBeGreaterThan(40);
  });

  it.each(FALSE_FRIENDS)('leaves alone: %s', (text) => {
    expect(mask(text)).toBe(text);
  });

  it('leaves all pages and all source of this project alone', () => {
    const files = ['docs', 'src'].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.(?:ts|md)$/u.test(name))
        .map((name) => join(root, folder, name)),
    );
    expect(files.length).toBeGreaterThan(500);
    const texts = files.map((file) => readFileSync(file, 'utf8'));
    expect(files.filter((_, at) => mask(texts[at] ?? '') !== texts[at])).toEqual([]);
  });

  it('changes nothing that is masked already', () => {
    for (const [, text] of MARKED_SECRETS) expect(mask(mask(text))).toBe(mask(text));
  });
});

describe('masking the secrets of an environment', () => {
  const value = 'pass"word/of+kim';
  const env = { WIKI_PASSWORD: value, WIKI_AUTH_SOCK: '/tmp/agent.sock', EDITOR: 'the-editor' };
  const inEnvironment = createMask({ env });

  it.each([
    ['as it is', value],
    ['in JSON', JSON.stringify({ value })],
    ['in an address', `?q=${encodeURIComponent(value)}`],
    ['in Base64', Buffer.from(value).toString('base64')],
    ['in Base64 with a name before it', Buffer.from(`kim:${value}`).toString('base64')],
    ['in Base64 for addresses', Buffer.from(`ab${value}`).toString('base64url')],
    ['in hexadecimal', Buffer.from(value).toString('hex')],
    ['in hexadecimal with capitals', Buffer.from(value).toString('hex').toUpperCase()],
    ['split over two lines', `${value.slice(0, 6)}\n${value.slice(6)}`],
    ['split over two lines of a diff', `+${value.slice(0, 6)}\r\n+  ${value.slice(6)}`],
  ])('masks a value %s', (_title, text) => {
    const masked = inEnvironment(text);
    expect(masked).toContain('[redacted]');
    expect(masked.length).toBeLessThan(text.length + 4);
  });

  it('leaves alone what only names a secret, and variables of other names', () => {
    expect(inEnvironment('/tmp/agent.sock the-editor')).toBe('/tmp/agent.sock the-editor');
  });

  it('masks every line of a long value', () => {
    const lines = Array.from({ length: 40 }, (_, at) => `line ${at} of the long secret`);
    const long = createMask({ env: { SERVICE_KEY: lines.join('\n') } });
    expect(long(`it has: ${lines[7]}`)).toBe('it has: [redacted]');
  });

  it('leaves names of members and everyday words alone', () => {
    const weak = createMask({ env: { A_KEY: 'reviewer', B_PASSWORD: 'password' }, names: ['Reviewer'] });
    expect(weak('reviewer, what is a password?')).toBe('reviewer, what is a password?');
  });
});

describe('masking folders', () => {
  const inFolder = createMask({ folder: '/home/kim/wiki', home: '/home/kim' });

  it.each([
    ['/home/kim/wiki', '<folder>'],
    ['in /home/kim/wiki.', 'in <folder>.'],
    ['file:///home/kim/wiki/a.ts:3', 'file://<folder>/a.ts:3'],
    ['-I/home/kim/wiki/include', '-I<folder>/include'],
    ['/home/kim/wiki2 and /home/kim/wiki.bak', '~/wiki2 and ~/wiki.bak'],
    ['/home/kimberly/x', '/home/kimberly/x'],
    ['~/x and <folder>/x', '~/x and <folder>/x'],
  ])('%s becomes %s', (text, masked) => {
    expect(inFolder(text)).toBe(masked);
  });

  it('knows a folder with a space also in an address', () => {
    expect(createMask({ folder: '/srv/my wiki' })('file:///srv/my%20wiki/a')).toBe('file://<folder>/a');
  });

  it('does not take the end of another path for a folder of one name, or everything for the root', () => {
    expect(createMask({ folder: '/work', home: '/' })('/data/work/x /work/x')).toBe(
      '/data/work/x <folder>/x',
    );
  });
});

it('masks long texts in a time that grows with their length', () => {
  const text = `${FALSE_FRIENDS.join('\n')}\n`.repeat(300);
  const began = performance.now();
  expect(mask(text)).toBe(text);
  const whole = performance.now() - began;
  expect(whole).toBeLessThan(10_000);
  for (const hostile of [
    '+'.repeat(200_000),
    `${'a'.repeat(15)}\n`.repeat(20_000),
    'A_KEY='.repeat(30_000),
  ]) {
    const start = performance.now();
    mask(hostile);
    expect(performance.now() - start).toBeLessThan(10_000);
  }
});
