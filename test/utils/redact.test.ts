import { describe, expect, it } from 'vitest';
import { redactSecrets, secretValues } from '../../src/utils/redact.js';

const FILLER = 'FAKE'.repeat(9);

describe('masking secrets', () => {
  it.each([
    ['Anthropic key', `sk-ant-api03-${FILLER}-AA`],
    ['OpenAI key', `sk-proj-${FILLER}`],
    ['Google key', `AIza${FILLER}`],
    ['Google access token', `ya29.${FILLER}`],
    ['GitHub token', `ghp_${FILLER}`],
    ['fine-grained GitHub token', `github_pat_${FILLER}_${FILLER}`],
    ['GitLab token', `glpat-${FILLER}`],
    ['Slack token', `xoxb-${FILLER}`],
    ['AWS key id', `AKIA${FILLER.slice(0, 16)}`],
    ['npm token', `npm_${FILLER}`],
    ['JSON web token', `eyJ${FILLER}.${FILLER}.${FILLER}`],
    ['private key', `-----BEGIN RSA PRIVATE KEY-----\n${FILLER}\n${FILLER}\n-----END RSA PRIVATE KEY-----`],
    ['private key that was cut off', `-----BEGIN PRIVATE KEY-----\n${FILLER}\n${FILLER}`],
  ])('masks a %s', (_title, secret) => {
    expect(redactSecrets(`before "${secret}`)).toBe('before "[redacted]');
  });

  it('masks what follows Bearer, and a password in an address', () => {
    expect(redactSecrets('Authorization: Bearer FAKE.FAKE.FAKE, ok')).toBe(
      'Authorization: Bearer [redacted], ok',
    );
    expect(redactSecrets('postgres://u:FAKEpass@host/db')).toBe('postgres://u:[redacted]@host/db');
  });

  it('masks the given values word for word, but no short ones', () => {
    expect(redactSecrets('it is hunter2hunter2 and yes', ['hunter2hunter2', 'yes'])).toBe(
      'it is [redacted] and yes',
    );
  });

  it('leaves no rest of a value that begins like another one', () => {
    expect(
      redactSecrets('it is hunter2hunter2-and-more', ['hunter2hunter2', 'hunter2hunter2-and-more']),
    ).toBe('it is [redacted]');
  });

  it('leaves ordinary text alone', () => {
    const text = 'a task-list with sk-short, the bearer of news, http://host:80/path and git@github.com:a/b';
    expect(redactSecrets(text)).toBe(text);
  });

  it('finds the values of variables named like secrets', () => {
    const environment = {
      MY_API_KEY: 'one',
      GH_TOKEN: 'two',
      DB_PASSWORD: 'three',
      PATH: 'four',
      KEYBOARD: 'five',
    };
    expect(secretValues(environment)).toEqual(['one', 'two', 'three']);
  });
});
