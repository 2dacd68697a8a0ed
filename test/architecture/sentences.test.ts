import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const source = fileURLToPath(new URL('../../src/', import.meta.url));

/** Files with sentences that are not for the people at the screen, and whom they are for. */
const NOT_FOR_PEOPLE: Readonly<Record<string, string>> = {
  'agents/AgentManager.ts': 'programs: messages of an error that only the library throws',
  'agents/live/LiveQuestions.ts': 'agents: refusals in their protocol',
  'agents/live/WorkingFolder.ts': 'agents: refusals in their protocol',
  'agents/dialect/Dialect.ts': 'programmers: options that a team file cannot have',
  'agents/process/AnswerText.ts': 'the log: part of an answer',
  'agents/process/checkReport.ts': 'the log: the answer of a check',
  'agents/process/controlGroup.ts': 'ourselves: never leaves the file',
  'agents/process/spawnAgent.ts': 'ourselves: never leaves the file',
  'agents/process/markedStart.ts': 'the debug lines',
  'agents/process/temporaryFiles.ts': 'programmers: a fault of a dialect',
  'agents/process/terminate.ts': 'the log of the program',
  'agents/process/watchdog.ts': 'the shell',
  'agents/rehearsal/simulatedAgent.ts': 'Huddle: words of vendors, as it reads them',
  'agents/rehearsal/simulatedTurn.ts': 'the log: an answer of a simulated agent',
  'cli/commands/completion/shells.ts': 'shells',
  'config/changeUserSettings.ts': 'ourselves: what cannot be',
  'config/parseTeamFile.ts': 'programmers',
  'config/teamSchema.ts': 'editors: the JSON Schema',
  'context/': 'agents and programmers: prompts, and the errors of a library',
  'coordinator/Ledger.ts': 'the log of the program, and its debug lines',
  'coordinator/RoundRunner.ts': 'the log of the program',
  'coordinator/prepareTurn.ts': 'the debug lines',
  'coordinator/preamble.ts': 'agents: the prompt, in the language of the team',
  'coordinator/runTurn.ts': 'the log: part of an answer',
  'createConversation.ts': 'programmers: a team without a limit',
  'frontends/web/describeApi.ts': 'programs: the description of the API',
  'files/': 'programmers: what cannot be',
  'files/recorder/FileRecorder.ts': 'the log of the program',
  'files/tell/': 'agents: the prompt',
  'frontends/web/routes.ts': 'programs: the description of the API',
  'machines/ClaimLoop.ts': 'the log of the program',
  'machines/Reporter.ts': 'the log: the words of a turn that cannot be reported',
  'machines/askTurn.ts': 'programmers: what cannot be; the log: the words of a turn that was tampered with',
  'machines/holdFleet.ts': 'the log of the program',
  'markers/parseMessage.ts': 'programmers',
  'markdown/parseMarkdown.ts': 'programmers: a token of another version',
  'models/McpServer.ts': 'programmers: wrong options',
  'models/errors.ts': 'programmers: wrong options and snapshots',
  'models/schema/': 'programs: the JSON Schema of events',
  'routing/teamMembers.ts': 'programmers',
  'store/eventSchema.ts': 'programs: the JSON Schema of events',
  'store/numberFacts.ts': 'programmers: events that JSON cannot hold',
  'store/postgres/PostgresDatabase.ts': 'the log of the program',
  'store/postgres/batches.ts': 'programmers: events that no database takes',
  'store/postgres/PostgresListener.ts': 'the log of the program, and programmers',
  'store/postgres/PostgresStore.ts': 'programmers: an id that was not made by Huddle',
  'utils/JsonRpcLines.ts': 'programs: refusals in their protocol',
  'utils/PromptBuilder.ts': 'programmers',
};

const COMMENT = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gmu;
/** A regular expression may have quotes in it. */
const PATTERN =
  /(?<=[=(,:!&|?[{;]\s*|\breturn\s+)\/(?![/*])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n])+\/[a-z]*/gu;
const LITERAL = /'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/gsu;
/** Three words of prose after each other; SQL, styles and commands are none. */
const SENTENCE = /[A-Za-z]{2,},? [a-z]{2,}(?:'s)?,? [a-z]{2,}(?![\w-]*[:;={])/u;
const NO_PROSE = /^\s*(?:INSERT|SELECT|DELETE|UPDATE|CREATE|PRAGMA|WITH)\b|^\n:root|^\S+ (?:mcp|auth) \w+/u;

const sentences = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/u.test(file) && !file.startsWith('catalogue/'))
  .sort()
  .flatMap((file) => sentencesIn(file));

test('every sentence that people read is in the catalogue', () => {
  const strays = sentences.filter(({ file }) => reasonFor(file) === undefined);
  expect(strays.map(({ file, text }) => `${file}: ${text}`)).toEqual([]);
});

test('no reason is given for a file that needs none', () => {
  const places = Object.keys(NOT_FOR_PEOPLE);
  const needed = new Set(places.filter((place) => sentences.some(({ file }) => file.startsWith(place))));
  expect(places.filter((place) => !needed.has(place))).toEqual([]);
});

function reasonFor(file: string): string | undefined {
  return Object.entries(NOT_FOR_PEOPLE).find(([place]) => file.startsWith(place))?.[1];
}

function sentencesIn(file: string): readonly { readonly file: string; readonly text: string }[] {
  const code = readFileSync(join(source, file), 'utf8').replaceAll(COMMENT, ' ').replaceAll(PATTERN, ' ');
  return Array.from(code.matchAll(LITERAL), ([, one, two, template]) => one ?? two ?? template ?? '')
    .map((text) => text.replaceAll(/\$\{[^}]*\}/gu, 'X'))
    .filter((text) => SENTENCE.test(text) && !NO_PROSE.test(text))
    .map((text) => ({ file, text }));
}
