import { words } from '../catalogue/words.js';
import type { StartedProgram } from '../config/describeWhatStarts.js';
import { quoteText } from '../utils/quoteText.js';

/** A few lines for the trust question. Every word of the team file is quoted, since no person vouches for it yet. */
export function formatWhatStarts(programs: readonly StartedProgram[]): string {
  return programs.map(formatProgram).join('\n');
}

function formatProgram(program: StartedProgram): string {
  const { runs, rights, details } = words.trust.programs;
  const lists: ReadonlyArray<readonly [label: string, values: readonly string[]]> = [
    [details.model, program.model === undefined ? [] : [program.model]],
    [details.allowed, program.allow],
    [details.denied, program.deny],
    [details.instructionFile, program.instructionFile === undefined ? [] : [program.instructionFile]],
  ];
  const isHeld = program.isHeldToPermission || program.permission === 'full';
  return [
    runs(quoteText(program.member), quoteWords(program.command)),
    `  ${rights(isHeld ? program.permission : undefined, program.env)}`,
    ...lists
      .filter(([, values]) => values.length > 0)
      .map(([label, values]) => `  ${label} ${quoteWords(values)}`),
  ].join('\n');
}

/** In full: a question about trust must not leave out the end of a command. */
function quoteWords(parts: readonly string[]): string {
  return parts.map(quoteText).join(' ');
}
