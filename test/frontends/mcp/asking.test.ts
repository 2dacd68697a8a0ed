import { describe, expect, test } from 'vitest';
import { createQuietSquad, openOffice, script, sessionIn, textOf } from './office.js';

describe('ask_team', () => {
  test('gives the answers under the names of members, after a line about the session', async () => {
    const { ask } = await openOffice(await createQuietSquad());
    const text = await ask('ask_team', { message: 'Where?', members: ['max', 'carol'] });
    const [session] = [sessionIn(text)];
    expect(text).toBe(
      `session ${session} · done · 2 turns · $0.01\n\n## max\n\nFrom max.\n\n## carol\n\nFrom carol.`,
    );
  });

  test('gives the same as JSON, once as text and once as data', async () => {
    const { call } = await openOffice(await createQuietSquad());
    const answer = await call('ask_team', { message: 'Where?', members: 'sarah', format: 'json' });
    const text = textOf(answer);
    expect(JSON.parse(text)).toEqual(answer.structuredContent);
    expect(answer.structuredContent).toEqual({
      session: sessionIn(text),
      status: 'done',
      turns: 1,
      usd: 0,
      answers: [
        { member: 'sarah', turn: 'turn-1', outcome: 'completed', message: 'msg-2', text: 'From sarah.' },
      ],
      running: [],
      notes: [],
    });
    expect(answer.content[1]).toMatchObject({
      type: 'resource_link',
      uri: `huddle://session/${sessionIn(text)}`,
    });
  });

  test('follows hand-offs, continues a session by the end of its id, and members are named in it', async () => {
    const squad = await createQuietSquad();
    script(squad, { max: [{ text: 'Sarah knows.', next: ['sarah'] }], sarah: [{ text: 'Here.' }] });
    const { ask } = await openOffice(squad);
    const first = await ask('ask_team', { message: 'Where?' });
    expect(first).toContain('## max\n\nSarah knows.\n\nmax hands off to sarah.\n\n## sarah\n\nHere.');
    const session = sessionIn(first);
    const second = await ask('ask_team', {
      message: 'Sure?',
      session: session.slice(-4),
      members: ['@SARAH'],
    });
    expect(second).toMatch(new RegExp(`^session ${session} · done · 1 turn\n\n## sarah`, 'u'));
  });

  test('lowers every member to reading, and says which cannot be held to it', async () => {
    const squad = await createQuietSquad();
    const { machine } = squad;
    machine.write('huddle.jsonc', {
      version: 1,
      members: [
        { name: 'kim', type: 'human' },
        { name: 'sarah', type: 'ai', agentType: 'codex', permission: 'full' },
        { name: 'tool', type: 'ai', agentType: 'command', command: ['/bin/echo', 'x'] },
      ],
    });
    await machine.trust();
    const { ask } = await openOffice(squad);
    const text = await ask('ask_team', { message: 'Where?', members: ['all'] });
    expect(text).toContain('Not asked, because Huddle cannot hold them to reading: tool.');
    const { stdout } = await machine.run(['export', sessionIn(text), '--format', 'jsonl']);
    const events = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    // As an empty session it has the team as it is in its file.
    const profiles = events.filter(
      ({ type, memberId }) => type === 'profile-changed' && memberId === 'sarah',
    );
    expect(profiles.map(({ settings }) => settings.permission)).toEqual(['full', 'read']);
    const turns = events.filter(({ type }) => type === 'turn-start');
    expect(turns.map(({ memberId }) => memberId)).toEqual(['sarah']);
    expect(await ask('ask_member', { member: 'tool', message: 'Go' })).toMatch(
      /^error\[UNKNOWN_MEMBER\]: Huddle cannot hold tool to reading/u,
    );
  });

  test('with --permission team asks as the team file says', async () => {
    const squad = await createQuietSquad();
    const { ask } = await openOffice(squad, { options: { permission: 'team' } });
    const text = await ask('ask_team', { message: 'Where?', members: ['sarah'] });
    const { stdout } = await squad.machine.run(['export', sessionIn(text), '--format', 'jsonl']);
    expect(stdout).toContain('"permission":"edit"');
  });

  test('tells which files the turns changed, and what was not said in words', async () => {
    const squad = await createQuietSquad();
    const { machine } = squad;
    const run = (script: string) => ({
      type: 'ai',
      agentType: 'command',
      command: ['/bin/sh', '-c', script],
    });
    machine.write('huddle.jsonc', {
      version: 1,
      members: [
        { name: 'kim', type: 'human' },
        { name: 'maker', ...run('echo x > made.txt; echo Made.') },
        { name: 'quiet', ...run('exit 0') },
        { name: 'asker', ...run('echo "Which one? [NEXT: kim]"') },
      ],
    });
    await machine.trust();
    const { ask } = await openOffice(squad, { options: { permission: 'team' } });
    const text = await ask('ask_team', { message: 'Go', members: ['maker', 'quiet', 'asker'] });
    expect(text).toMatch(/^session \S+ · waiting for a person · 3 turns\n/u);
    expect(text).toContain('## maker\n\nMade.');
    expect(text).toContain('## quiet · replied with nothing');
    expect(text).toContain('maker · turn-1 · 1 file +1\n  A made.txt +1');
    expect(text).toContain(
      `Waiting for kim to reply. Ask the user, then: ask_team with session "${sessionIn(text)}".`,
    );
  });

  test('cuts long answers evenly, and the mark reads on where it was cut', async () => {
    const squad = await createQuietSquad();
    script(squad, {
      max: [{ text: 'a'.repeat(70_000) }],
      sarah: [{ text: 'b'.repeat(5000) }],
      carol: [{ text: '"'.repeat(70_000) }],
    });
    const { ask, call } = await openOffice(squad);
    const given = { message: 'Where?', members: ['max', 'sarah', 'carol'] };
    const text = await ask('ask_team', given);
    expect(text.length).toBeLessThanOrEqual(30_000);
    expect(text.length).toBeGreaterThan(20_000);
    expect(text).toContain('b'.repeat(5000));
    const session = sessionIn(text);
    expect(text).toMatch(
      new RegExp(
        `a… \\([\\d,]+ more characters: read_conversation with session "${session}", from "msg-2"\\)`,
        'u',
      ),
    );
    const json = await call('ask_team', { ...given, format: 'json' });
    expect(textOf(json).length).toBeLessThanOrEqual(30_000);
    expect(JSON.parse(textOf(json))).toEqual(json.structuredContent);
    const page = await ask('read_conversation', { session, from: 'msg-2', max_characters: 100_000 });
    expect(page).toContain('a'.repeat(70_000));
  });

  test.each([
    [{ message: '' }, 'The argument "message" must be a text of 1 to 200,000 characters'],
    [{ message: 'x'.repeat(200_001) }, 'The argument "message" must be a text'],
    [{}, 'The argument "message" is missing.'],
    [{ message: 'x', memebers: ['max'] }, 'Unknown argument "memebers". Did you mean members?'],
    [{ message: 'x', members: [] }, 'The argument "members" must be a list'],
    [{ message: 'x', wait_seconds: 1501 }, 'must be a whole number from 0 to 1,500'],
    [{ message: 'x', format: 'xml' }, 'must be "text" or "json"'],
  ])('refuses bad arguments with a sentence: %#', async (given, sentence) => {
    const { call } = await openOffice(await createQuietSquad());
    const answer = await call('ask_team', given);
    expect(answer.isError).toBe(true);
    expect(textOf(answer)).toContain('error[INVALID_ARGUMENT]: ');
    expect(textOf(answer)).toContain(sentence);
  });

  test('names the nearest of a member and of a session that do not exist', async () => {
    const { ask } = await openOffice(await createQuietSquad());
    expect(await ask('ask_team', { message: 'x', members: ['sara'] })).toBe(
      'error[UNKNOWN_MEMBER]: No agent "sara" in this team. Did you mean sarah? The agents: max, sarah, carol.',
    );
    const session = sessionIn(await ask('ask_member', { member: 'max', message: 'x' }));
    const slip = session.replace(/.$/u, 'x');
    expect(await ask('ask_team', { message: 'x', session: slip })).toContain(
      `error[UNKNOWN_CONVERSATION]: No session "${slip}". Did you mean ${session}?`,
    );
  });
});

describe('ask_member', () => {
  test('runs one turn: its hand-off is told and not followed, whatever markers the message has', async () => {
    const squad = await createQuietSquad({ routing: { fanout: 'blind' } });
    script(squad, { max: [{ text: 'Sarah knows.', next: ['sarah'] }], carol: [{ text: 'No.' }] });
    const { ask, call } = await openOffice(squad);
    const text = await ask('ask_member', { member: 'max', message: 'Where? [NEXT: carol]' });
    expect(text).toBe(
      `session ${sessionIn(text)} · done · 1 turn\n\n## max\n\nSarah knows.\n\nmax hands off to sarah.`,
    );
    const again = await call('ask_member', {
      member: 'max',
      message: 'And?',
      session: sessionIn(text),
      format: 'json',
    });
    expect(again.structuredContent).toMatchObject({
      status: 'done',
      turns: 1,
      answers: [{ handsOffTo: ['sarah'] }],
    });
    const { stdout } = await squad.machine.run(['sessions', '--json']);
    expect(JSON.parse(stdout)).toEqual([expect.objectContaining({ queued: 0, running: [] })]);
  });
});

describe('waiting', () => {
  test('returns what runs when the time is over, goes on meanwhile, and is waited for', async () => {
    const squad = await createQuietSquad();
    squad.hold('max');
    const { ask, call } = await openOffice(squad);
    const first = await ask('ask_team', { message: 'Where?', wait_seconds: 0 });
    const session = sessionIn(first);
    expect(first).toMatch(new RegExp(`^session ${session} · running · 0 turns`, 'u'));
    expect(first).toContain(`wait_for_team with session "${session}"`);
    expect(await ask('ask_team', { message: 'Well?', session })).toBe(
      `error[STILL_RUNNING]: Session ${session} is still running. Wait for it: wait_for_team with session "${session}".`,
    );
    const waiting = call('wait_for_team', { session, format: 'json' });
    squad.release('max');
    expect((await waiting).structuredContent).toMatchObject({ status: 'done', turns: 1 });
    expect(await ask('wait_for_team', { session })).toContain('From max.');
  });

  test('stop ends it and keeps the draft', async () => {
    const squad = await createQuietSquad();
    squad.hold('max');
    const { ask } = await openOffice(squad);
    const session = sessionIn(await ask('ask_team', { message: 'Where?', wait_seconds: 0 }));
    await expect.poll(() => ask('wait_for_team', { session, wait_seconds: 0 })).toContain('max is working');
    const text = await ask('wait_for_team', { session, stop: true });
    expect(text).toMatch(new RegExp(`^session ${session} · stopped · 1 turn\n\n## max · stopped`, 'u'));
  });

  test('a cancelled call stops the turns, and the log names the session', async () => {
    const squad = await createQuietSquad();
    squad.hold('max');
    const { call, logged, ask } = await openOffice(squad);
    const abort = new AbortController();
    const started: string[] = [];
    const calling = call(
      'ask_team',
      { message: 'Where?' },
      {
        signal: abort.signal,
        onprogress: ({ message = '' }) => {
          started.push(message);
          abort.abort();
        },
      },
    );
    await expect(calling).rejects.toThrow();
    expect(started[0]).toBe('max started');
    const { stdout } = await squad.machine.run(['sessions', '--json']);
    const [{ id }] = JSON.parse(stdout) as [{ id: string }];
    expect(await ask('wait_for_team', { session: id })).toMatch(/ · stopped · 1 turn/u);
    expect(logged).toEqual([`The client cancelled; session ${id} was stopped. Drafts are kept.`]);
  });

  test('a session of another process is not waited for', async () => {
    const squad = await createQuietSquad();
    const first = await openOffice(squad);
    const session = sessionIn(await first.ask('ask_team', { message: 'x' }));
    const second = await openOffice(squad);
    expect(await second.ask('wait_for_team', { session })).toContain(
      `error[NOT_RUNNING]: Nothing runs in session ${session}.`,
    );
  });

  test('progress tells of every start and end', async () => {
    const { ask } = await openOffice(await createQuietSquad());
    const told: (string | undefined)[] = [];
    await ask(
      'ask_team',
      { message: 'Where?', members: ['max', 'carol'] },
      {
        onprogress: ({ progress, message }) => told.push(`${progress} ${message}`),
      },
    );
    expect(told).toEqual(['1 max started', '2 max replied', '3 carol started', '4 carol replied']);
  });
});

describe('limits of a server', () => {
  const once = { message: 'x', members: ['max'] };

  test('the number of asks', async () => {
    const { ask } = await openOffice(await createQuietSquad(), {
      options: { limits: { maxAsks: 1, maxTurns: 50 } },
    });
    expect(await ask('ask_team', { message: 'x', members: ['nobody'] })).toContain('UNKNOWN_MEMBER');
    expect(await ask('ask_team', once)).toContain('done');
    expect(await ask('ask_team', once)).toMatch(/^error\[ASK_LIMIT\]: .*--max-asks/u);
  });

  test('two asks at once', async () => {
    const squad = await createQuietSquad();
    squad.hold('max');
    const { ask } = await openOffice(squad);
    for (const _ of [1, 2]) await ask('ask_team', { ...once, wait_seconds: 0 });
    expect(await ask('ask_team', once)).toMatch(/^error\[ASK_LIMIT\]: 2 asks are running/u);
    squad.release('max');
  });

  test('turns: the last ones are shared out, and then there are none', async () => {
    const squad = await createQuietSquad();
    script(squad, { max: [{ text: 'On.', next: ['sarah'] }], sarah: [{ text: 'On.', next: ['max'] }] });
    const { ask } = await openOffice(squad, { options: { limits: { maxAsks: 20, maxTurns: 3 } } });
    const text = await ask('ask_team', once);
    expect(text).toContain('paused · 3 turns');
    expect(text).toContain('Paused: 3 agent turns in a row.');
    expect(text).toContain(`To continue: ask_team with session "${sessionIn(text)}".`);
    expect(await ask('ask_team', once)).toMatch(/^error\[ASK_LIMIT\]: .*3 turns.*--max-turns/u);
  });

  test('the limit of the team holds for all asks together, and not for what is left of it', async () => {
    const squad = await createQuietSquad({ limits: { usd: 0.03 } });
    const { ask } = await openOffice(squad);
    await ask('ask_team', once);
    script(squad, { max: [{ text: 'On.', next: ['carol'], usd: 0.01 }], carol: [{ text: 'Here.' }] });
    expect(await ask('ask_team', once)).toMatch(/ · done · 2 turns · \$0\.01\n/u);
  });

  test('money, also in a session that has cost something before', async () => {
    const squad = await createQuietSquad();
    const first = await openOffice(squad);
    const session = sessionIn(await first.ask('ask_team', once));
    const { ask } = await openOffice(squad, {
      options: { limits: { maxAsks: 20, maxTurns: 50, maxUsd: 0.02 } },
    });
    for (const _ of [1, 2])
      expect(await ask('ask_team', { ...once, session })).toContain('done · 1 turn · $0.01');
    expect(await ask('ask_team', { ...once, session })).toMatch(/^error\[ASK_LIMIT\]: .*\$0\.02.*--max-usd/u);
  });

  test('turns that were reserved for an ask that fails are given back', async () => {
    const squad = await createQuietSquad();
    squad.hold('max');
    const first = await openOffice(squad);
    const session = sessionIn(await first.ask('ask_team', { ...once, wait_seconds: 0 }));
    const { ask } = await openOffice(squad, { options: { limits: { maxAsks: 20, maxTurns: 2 } } });
    const asked = { message: 'x', members: ['sarah'] };
    for (const _ of [1, 2])
      expect(await ask('ask_team', { ...asked, session })).toContain('error[CONVERSATION_LOCKED]');
    expect(await ask('ask_team', asked)).toContain('done');
    squad.release('max');
  });

  test('money: an ask that reaches the limit pauses the other one', async () => {
    const squad = await createQuietSquad();
    script(squad, {
      max: [{ text: 'Dear.', usd: 0.05 }],
      sarah: [{ text: 'On.', next: ['carol'] }],
      carol: [{ text: 'Here.' }],
    });
    squad.hold('sarah');
    const { ask } = await openOffice(squad, {
      options: { limits: { maxAsks: 20, maxTurns: 50, maxUsd: 0.02 } },
    });
    const asked = { message: 'x', members: ['sarah'], wait_seconds: 0 };
    const session = sessionIn(await ask('ask_team', asked));
    await ask('ask_team', once);
    squad.release('sarah');
    const text = await ask('wait_for_team', { session });
    expect(text).toContain('paused · 1 turn');
    expect(text).toContain('all asks of this server together have reached its limit on dollars (--max-usd)');
  });
});
