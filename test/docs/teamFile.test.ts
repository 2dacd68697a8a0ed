import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { formatTeamProblems } from '../../src/catalogue/teamProblems.js';
import { loadTeamFile } from '../../src/config/loadTeamFile.js';
import { loadWorkerFile } from '../../src/config/loadWorkerFile.js';
import { TeamFileError } from '../../src/config/readRegularFile.js';
import { resolveTeam } from '../../src/config/resolveTeam.js';
import { FIELDS } from '../../src/config/teamSchema.js';
import { type Page, page, pages, sectionOf, tableRows, wordsIn } from './pages.js';
import { writeFiles } from './playPage.js';

const teamFilePage = page('docs/team-file.md');
/** Words at a fence with a file that is no valid team file, on purpose. */
const OTHERWISE = ['wrong', 'worker'];

describe('every team file of the pages', () => {
  const teamFiles = pages.flatMap((shown) =>
    shown.fences
      .filter(
        ({ language, words }) => language === 'jsonc' && !words.some((word) => OTHERWISE.includes(word)),
      )
      .map(({ text }, index) => ({ shown, text, title: `${shown.path}, ${index + 1}` })),
  );

  it.each(teamFiles)('is valid: $title', async ({ shown, text }) => {
    const { warnings } = await load(shown, text);
    expect(warnings).toEqual([]);
  });
});

describe('every worker file of the pages', () => {
  const workerFiles = pages.flatMap(({ fences, path }) =>
    fences.flatMap(({ words, text }) => (words.includes('worker') ? [{ path, text }] : [])),
  );

  it('is there', () => expect(workerFiles.length).toBeGreaterThan(0));

  it.each(workerFiles)('is valid in $path', async ({ text }) => {
    const folder = mkdtempSync(join(tmpdir(), 'huddle-docs-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const file = join(folder, 'worker.jsonc');
    writeFileSync(file, text, { mode: 0o600 });
    await expect(loadWorkerFile({ file, homeFolder: folder })).resolves.toMatchObject({ atOnce: 4 });
  });
});

describe('docs/team-file.md', () => {
  it('shows exactly what is said about its wrong team file', async () => {
    const { fences } = teamFilePage;
    const index = fences.findIndex(({ words }) => words.includes('wrong'));
    const error = await load(teamFilePage, fences[index]?.text ?? '').catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(TeamFileError);
    expect(`${formatTeamProblems((error as TeamFileError).problems, 'huddle.jsonc')}\n`).toBe(
      fences[index + 1]?.text,
    );
  });

  it('has every code that a problem can have, and no other', () => {
    const shown = tableRows(sectionOf(teamFilePage, '## What can be wrong')).map(([code = '']) => code);
    const codes = wordsIn('models/TeamProblem.ts', /^ {2}([A-Z_]+): /gmu);
    expect(shown.slice(2)).toEqual(codes.map((code) => `\`${code}\``));
  });

  const sections = {
    '## The whole file': FIELDS.team,
    '## Members': [...new Set([...FIELDS.human, ...FIELDS.ai])],
    '## Routing': FIELDS.routing,
    '## Limits': FIELDS.limits,
    '## Prices': FIELDS.price,
    '## Context': FIELDS.context,
    '## Files': FIELDS.files,
  };

  it.each(Object.entries(sections))('has every field and no other under "%s"', (heading, fields) => {
    expect(
      fieldRows(heading)
        .map(({ field }) => field)
        .toSorted(),
    ).toEqual([...fields].toSorted());
  });

  it('says the defaults that are used', () => {
    const result = resolveTeam({
      version: 1,
      members: [
        { name: 'you', type: 'human' },
        { name: 'max', type: 'ai', agentType: 'claude' },
      ],
    });
    if (!result.ok) throw new Error(formatTeamProblems(result.problems));
    const { team } = result;
    const used: readonly (readonly [string, object])[] = [
      ['## The whole file', { ...team, prices: {} }],
      ['## Members', team.members[1] ?? {}],
      ['## Routing', team.routing],
      ['## Limits', team.limits],
      ['## Context', team.context],
      ['## Files', team.files ?? {}],
    ];
    for (const [heading, values] of used) {
      const shown = fieldRows(heading).flatMap(({ field, cells }) =>
        cells.flatMap((cell) => (/^`[^`]+`$/u.test(cell) ? [[field, JSON.parse(cell.slice(1, -1))]] : [])),
      );
      expect(values).toMatchObject(Object.fromEntries(shown));
    }
  });
});

/** The default is in the cell before the last. */
function fieldRows(heading: string): readonly { field: string; cells: readonly string[] }[] {
  return tableRows(sectionOf(teamFilePage, heading))
    .filter(([first = '']) => first.startsWith('`'))
    .map((cells) => ({ field: (cells[0] ?? '').slice(1, -1), cells: cells.slice(-2, -1) }));
}

async function load(shown: Page, text: string) {
  const folder = mkdtempSync(join(tmpdir(), 'huddle-docs-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFiles(folder, shown);
  const file = join(folder, 'huddle.jsonc');
  writeFileSync(file, text);
  return loadTeamFile(file, { interactive: true });
}
