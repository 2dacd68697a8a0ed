import { counted } from '../counted.js';

/** Sentences about the differences between a played conversation and its recording. */
export const cassetteText = {
  otherMember: (turn: string, before: string, now: string) =>
    `${turn}: ${before} was asked in the recording, ${now} is asked now. The rest was not played.`,
  notRecorded: (turn: string, member: string) =>
    `${turn}: ${member} is asked now and was not in the recording. The rest was not played.`,
  neverAsked: (turn: string, member: string) => `${turn}: ${member} is not asked any more.`,
  prompt: (member: string, turns: readonly string[]) =>
    `The prompt of ${member} changed (${turns.join(', ')}):`,
  promptTooLong: (before: number, now: number, line: number) =>
    `  ${counted(before, 'line')} in the recording, ${now} now; the first that differs is line ${line}. Show it: huddle why --prompt`,
  promptUnknown: '  Another version of Huddle made the recorded prompt, so it cannot be shown again.',
  hunk: (before: number, now: number) => `  @@ line ${before}, now ${now} @@`,
  setting: (place: string, field: string, before: string, now: string) =>
    `${place}: ${field} was ${before}, is ${now}.`,
  ofTeam: 'The team',
  ofTurn: (member: string, turn: string) => `${member}, ${turn}`,
  notSet: 'not set',
  memberGone: (name: string) => `${name} is not in the team any more.`,
  memberNew: (name: string) => `${name} is new in the team.`,
  permission: (turn: string, member: string, what: string, before: string, now: string) =>
    `${turn}: what ${member} asked permission for, ${what}, was ${before}, is ${now}.`,
  askedPerson: 'asked of a person',
  noDecision: 'not decided',
  onlyRecorded: (fact: string) => `Only in the recording: ${fact}`,
  onlyNow: (fact: string) => `Not in the recording: ${fact}`,
  fact: (fact: string, field: string, before: string, now: string) =>
    `${fact}: ${field} was ${before}, is ${now}.`,
  differs: (count: number) => `${counted(count, 'difference')} from the recording.`,
  same: (turns: number) => `Played ${counted(turns, 'turn')}. No differences from the recording.`,
  notes: (count: number) =>
    `${counted(count, 'difference')} in prompts and settings, not counted (--match order):`,
  otherMessage: (number: number, file: string) =>
    `Message ${number} is not the one in ${file}. Run it without a message to say the recorded ones.`,
  tooManyMessages: (given: number, recorded: number, file: string) =>
    `${counted(given, 'message')} given, ${recorded} in ${file}. Run it without a message to say the recorded ones.`,
  noTeamFile: 'A cassette is played with a team file. Run it in the folder of the team, or add --team FILE.',
};
