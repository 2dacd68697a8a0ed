import { describeRights } from '../../catalogue/members.js';
import { words } from '../../catalogue/words.js';
import type { MemberProgram, RemoteMember, StartedProgram } from '../../config/describeWhatStarts.js';
import { quoteText } from '../../utils/quoteText.js';

/** A line for each member that other machines are asked for. */
export function formatWhatIsAsked(members: readonly RemoteMember[]): readonly string[] {
  return members.map(({ member, runsOn }) => words.trust.programs.asks(quoteText(member), quoteText(runsOn)));
}

/** A few lines for the trust question. Every word of the team file is quoted, since no person vouches for it yet. */
export function formatWhatStarts(programs: readonly StartedProgram[]): string {
  return programs.map(formatProgram).join('\n');
}

function formatProgram(program: StartedProgram): string {
  return 'member' in program ? formatMember(program) : formatSetup(program.command);
}

function formatSetup(command: readonly string[]): string {
  return [words.trust.programs.setup(quoteWords(command)), `  ${words.telling.notHeld}`].join('\n');
}

function formatMember(program: MemberProgram): string {
  const { runs, rights, details, isCheck } = words.trust.programs;
  const lists: ReadonlyArray<readonly [label: string, values: readonly string[]]> = [
    [details.model, program.model === undefined ? [] : [program.model]],
    [details.allowed, program.allow],
    [details.denied, program.deny],
    [details.instructionFile, program.instructionFile === undefined ? [] : [program.instructionFile]],
  ];
  return [
    runs(quoteText(program.member), quoteWords(program.command)),
    `  ${rights(describeRights({ ...program, isHeld: program.isHeldToPermission }), program.env)}`,
    ...(program.check ? [`  ${isCheck}`] : []),
    ...lists
      .filter(([, values]) => values.length > 0)
      .map(([label, values]) => `  ${label} ${quoteWords(values)}`),
  ].join('\n');
}

/** In full: a question about trust must not leave out the end of a command. */
function quoteWords(parts: readonly string[]): string {
  return parts.map(quoteText).join(' ');
}
