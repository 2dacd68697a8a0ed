// The scenes in the terminal of which pictures are taken: the team, what is typed, and what has to be seen before the next step.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inTerminal } from './terminal.mjs';

const QUESTION = 'Should sessions move to the server? [NEXT: architect]';
const COLUMNS = 92;
const OPEN = { until: 'Type a message.' };
const example = fileURLToPath(new URL('../../examples/council/', import.meta.url));
const program = fileURLToPath(new URL('../../dist/cli/huddle.js', import.meta.url));
const here = fileURLToPath(new URL('.', import.meta.url));

export const scenes = {
  council: {
    team: example,
    columns: COLUMNS,
    rows: 44,
    title: 'huddle',
    description:
      'A conversation in the terminal: a person asks, the architect proposes, the engineer checks it against the code, the critic finds a problem, the architect decides.',
    steps: [OPEN, { type: QUESTION }, { press: 'Enter' }, { until: 'waiting for you' }],
  },
  approval: {
    team: join(here, 'approval'),
    columns: COLUMNS,
    rows: 30,
    title: 'huddle',
    description:
      'An agent asks for permission to edit a file: the whole change is shown as a diff, y allows it and n denies it.',
    steps: [OPEN, { type: 'Refuse large uploads.' }, { press: 'Enter' }, { until: 'y⏎ allow' }],
  },
  why: {
    team: example,
    isRehearsed: true,
    columns: COLUMNS,
    rows: 40,
    title: 'huddle',
    description:
      '/why shows what the last turn was sent: the bytes of each section, and every message with what became of it.',
    steps: [
      OPEN,
      { type: QUESTION },
      { press: 'Enter' },
      { until: 'waiting for you' },
      { type: '/why' },
      { press: 'Enter' },
      { until: 'sha256' },
    ],
  },
};

/** Plays a scene to its end and returns the last screen. */
export function takePicture(scene) {
  return playScene(scene, ({ look }) => look());
}

/** Plays a scene, typing as a person does, and returns every screen that differed from the one before, with its time. */
export function record(scene) {
  const frames = [];
  return playScene(scene, () => frames, {
    perKey: true,
    eachTime: ({ look }) => {
      const screen = look();
      if (screen !== frames.at(-1)?.screen) frames.push({ screen, at: Date.now() });
    },
  });
}

async function playScene(
  { team, isRehearsed, columns, rows, steps },
  finish,
  { perKey = false, eachTime } = {},
) {
  const folder = makeProject(team);
  const command = isRehearsed ? [program, '--rehearse'] : [join(here, 'scene.mjs'), team];
  try {
    return await inTerminal(
      { columns, rows, command: [process.execPath, ...command], folder },
      async (terminal) => {
        const watch = () => eachTime?.(terminal);
        for (const step of steps) {
          if (step.until !== undefined) await terminal.until(step.until, watch);
          if (step.press !== undefined) terminal.press(step.press);
          if (step.type === undefined) continue;
          for (const part of perKey ? step.type : [step.type]) {
            terminal.type(part);
            watch();
          }
        }
        return finish(terminal);
      },
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A project with the team file. */
function makeProject(team) {
  const folder = mkdtempSync(join(tmpdir(), 'wiki-'));
  copyFileSync(join(team, 'huddle.jsonc'), join(folder, 'huddle.jsonc'));
  execFileSync('git', ['init', '-q', folder]);
  writeFileSync(join(folder, 'upload.js'), '');
  return folder;
}
