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
    ['Groq key', `gsk_${FILLER}`],
    ['xAI key', `xai-${FILLER}`],
    ['Perplexity key', `pplx-${FILLER}`],
    ['Cerebras key', `csk-${FILLER}`],
    ['Together key', `tgp_v1_${FILLER}`],
    ['Stripe key', `sk_live_${FILLER}`],
    ['Stripe test key', `rk_test_${FILLER}`],
    ['NVIDIA key', `nvapi-${FILLER}`],
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
    expect(redactSecrets('redis://:FAKE@pass@host/1')).toBe('redis://:[redacted]@host/1');
    expect(redactSecrets(`https://${FILLER}@o1.example/2`)).toBe('https://[redacted]@o1.example/2');
  });

  it('masks what is set for a variable that is named like a secret', () => {
    expect(redactSecrets('env DB_PASS=FAKEpass1 MYSQL_PWD="FAKEpass2" LANG=en_GB.UTF-8')).toBe(
      'env DB_PASS=[redacted] MYSQL_PWD="[redacted]" LANG=en_GB.UTF-8',
    );
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
      DB_PASS: 'four',
      MYSQL_PWD: 'five',
      SENTRY_DSN: 'six',
      GPG_PASSPHRASE: 'seven',
      AWS_CREDENTIALS: 'eight',
      DATABASE_URL: 'postgres://u:nine@host/db',
      PATH: '/usr/bin',
      PWD: '/work',
      OLDPWD: '/work',
      COMPASS: 'north',
      KEYBOARD: 'qwerty',
    };
    expect(secretValues(environment)).toEqual([
      ...['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'],
    ]);
  });
});
