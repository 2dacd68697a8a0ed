import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hostileCommand } from '../../agents/acp/hostileAcpAgent.js';
import { hasTmux, TmuxScreen } from '../../frontends/tui/TmuxScreen.js';
import { createMachine, root, scrub, teamFile } from '../runHuddle.js';
import { latinWords } from './latinWords.js';
import { playTable } from './playTable.js';

const COMMANDS = [
  'run',
  'rehearse',
  'demo',
  'init',
  'team check',
  'doctor',
  'trust',
  'sessions',
  'show',
  'resume',
  'delete',
  'export',
  'import',
  'cost',
  'mcp',
  'replay',
  'why',
  'completion',
];

/** What is on these pages and no text of ours: what was typed, what agents and vendors said, and prompts. */
const SAID = [
  /^(?:\$|#|exit code) ?.*$/gmu,
  /^(?:out|err)\| [│╭].*$/gmu,
  /^(?:out|err)\| \| .*$/gmu,
  /^(?:out|err)\| (?: {2}|> )?(?:Go|Done|You|Which one)\b.*$/gmu,
  /^ {2}a: \w+$/gmu,
  /\b(?:Go\.|Not logged in · Please run \/login|Internal error: API Error: 500 Internal server error: rehearsed)/gu,
  /model overloaded \(hostile-agent\)|Unexpected end of JSON input|(?<=：)here\b/gu,
  // Typed as it stands there.
  /(?<=\/why \d+ )prompt\b/gu,
  /^(?:out|err)\| /gmu,
  /^ {2}(?!huddle|git|npm|source)\w+(?= )/gmu,
];

playTable(
  {
    chinese: {
      'nothing is installed': {
        'huddle --help': 0,
        ...Object.fromEntries(COMMANDS.map((command) => [`huddle ${command} --help`, 0])),
        'huddle rnu': 2,
        'huddle run': 2,
        'huddle run Go. --max-turns many': 2,
        'huddle run Go. --output-format xml': 2,
        'huddle run Go. -c --ephemeral': 2,
        'huddle run --file message.txt': 2,
        'huddle why': 2,
        'huddle run Go.': 69,
        'huddle sessions': 0,
        'HUDDLE_HOME=here huddle sessions': 74,
        'huddle doctor': 69,
        'huddle init --yes': 0,
        'huddle team check': 0,
      },
      'one of two agents is logged in': { 'huddle doctor': 77, 'huddle init --yes': 0 },
      'the team has an architect and its tests': { 'huddle trust': 77, 'huddle trust --yes': 0 },
      'the team is trusted': {
        'huddle run "Go. [NEXT: mxa, sarah]"': 0,
        'HOSTILE=empty huddle run Go.': 0,
        'HOSTILE=crash huddle run Go.': 1,
        'HOSTILE=nofinal huddle run Go.': 1,
        'HOSTILE_TEXT="Which one? [NEXT: kim]" huddle run Go.': 3,
        'HOSTILE_TEXT="You. [NEXT: max, sarah]" huddle run Go. --max-turns 1': 5,
      },
      'the agent is not logged in': { 'huddle run Go.': 4 },
      'stand-ins have a script': {
        'huddle rehearse Go. --script fails.json --no-prompts': 1,
        'huddle rehearse Go. --script asks.json': 3,
        'huddle rehearse Go. --script half.json': 2,
      },
      'sessions ended in every way': {
        'huddle sessions': 0,
        'huddle show wiki-3': 0,
        'huddle resume wiki-4': 0,
        'huddle cost wiki-6': 0,
        'huddle replay wiki-6 --repeat 2 2>&1 | /bin/sed -E "s/[0-9.]+ ?(s|秒)/N\\1/g; s/ +/ /g"': 0,
        'huddle why 1 --session wiki-6': 0,
        'huddle why 9 --session wiki-6': 2,
        'huddle export wiki-6': 0,
        'huddle delete wiki-6': 2,
        'huddle delete wiki-6 --yes': 0,
        'huddle show nothing': 2,
      },
      'a session is open in another process': { 'huddle run More. -c': 75 },
      'a session is damaged': { 'huddle show wiki-1': 65 },
      'the store is no database': { 'huddle sessions': 65 },
      'the record of trust is damaged': { 'huddle run Go.': 77 },
    },
  },
  undefined,
  { LANG: 'zh_CN.UTF-8' },
);

describe.skipIf(!hasTmux())('the terminal in Chinese, at 80x24', { timeout: 120_000 }, () => {
  test('asks for permission, pauses, fails, and explains itself', async () => {
    const machine = createMachine();
    const ask = { toolCallId: 'a', name: 'Bash', kind: 'execute', rawInput: { command: 'npm test' } };
    const steps = JSON.stringify([{ ask, as: 'a' }, { answer: 'a' }]);
    const max = { agentType: 'acp', command: hostileCommand('steps', join(machine.folder, 'pids'), steps) };
    const missing = { agentType: 'command', command: ['not-there'] };
    machine.write('huddle.jsonc', teamFile({ max, missing }, { limits: { agentTurns: 1 } }));
    await machine.trust();
    const screen = new TmuxScreen({
      program: '../../../dist/cli/huddle.js',
      args: ['--lang', 'zh-CN'],
      folder: machine.project,
      env: { ...machine.env, TERM: 'xterm-256color' },
    });
    const pages: string[] = [];
    const say = async (line: string, ...until: readonly string[]) => {
      if (line !== '') screen.type(line);
      screen.press('Enter');
      const isThere = (rows: readonly string[]) => until.every((text) => rows.join('\n').includes(text));
      pages.push((await screen.until(isThere)).join('\n'));
    };
    pages.push((await screen.until('就绪')).join('\n'));
    await say('开始', 'y⏎ 允许');
    await say('ｎ', '已拒绝', '等你回复');
    await say('【NEXT：max，missing】继续', 'y⏎ 允许');
    await say('y', '按 Enter 继续，或', '接下来 missing');
    await say('', 'PATH 中没有', '等你回复');
    await say('／help', '/quit');
    await say('/members', 'missing');
    await say('/cost', '合计');
    await say('/why 1', '已校验');
    await say('/qiut', '是不是');
    const text = scrub(pages.join('\n===\n'), machine)
      // At the right of the screen, further to the left the longer the time is.
      .replaceAll(/ {2,}\d+(?:\.\d)?s(?= · )/gu, '  Ns')
      .replaceAll(/\b\d+(?:\.\d)?s\b/gu, 'Ns')
      .replaceAll(/[\u2800-\u28ff]/gu, '⠿');
    await expect(`${text.replaceAll(/[ \t]+$/gmu, '')}\n`).toMatchFileSnapshot('pages/chinese-terminal.txt');
  });
});

test.each(['chinese', 'chinese-terminal'])('no English is on the page %s but names and codes', (name) => {
  const page = readFileSync(join(root, 'test', 'cli', 'golden', 'pages', `${name}.txt`), 'utf8');
  expect(latinWords(SAID.reduce((text, pattern) => text.replaceAll(pattern, ''), page))).toEqual([]);
});
