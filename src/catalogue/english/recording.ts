import { counted } from '../counted.js';

/** Sentences about making and changing recordings. */
export const recordingText = {
  recorded: (file: string, turns: number, masked: number) =>
    masked === 0
      ? `Recorded ${counted(turns, 'turn')} to ${file}`
      : `Recorded ${counted(turns, 'turn')} to ${file}; ${counted(masked, 'value')} masked.`,
  toPlay: (file: string) => `To play it: huddle run --cassette ${file}`,
  differs: (differences: number) =>
    `The recording differs from the team as it is now (${counted(differences, 'difference')}). Playing it shows how.`,
  exists: (file: string) => `${file} already exists. To replace it, add --force.`,
  noFolder: (folder: string) => `${folder} is not a folder. Choose another one.`,
  isFolder: (file: string) => `${file} is a folder. Name a file.`,
  notInCi: (flag: string) => `${flag} writes no file when CI is set. To write all the same, add --force.`,
  stopped: 'Stopped, so nothing was recorded.',
  stoppedSaved: (id: string) =>
    `Stopped, so nothing was recorded. To record what was saved: huddle cassette ${id} --output FILE`,
  cannotWrite: (file: string, reason: string) => `${file} cannot be written: ${reason}.`,
  notRecorded: (file: string, reason: string) => `${file} was not written: ${reason}`,
  cutOff: (file: string, turns: readonly string[]) =>
    `${file} was not written: ${turns.join(', ')} never ended, because Huddle was killed or is still running it. Let it end or retry it, then record again: huddle resume --retry`,
  needsCassette: (flag: string) => `${flag} needs --cassette FILE.`,
  forceAlone: '--force needs --record FILE or --accept.',
  nothingToAccept: (file: string) => `No differences. ${file} is unchanged.`,
  accepted: (file: string, differences: number) =>
    `Accepted ${counted(differences, 'difference')}: ${file} now has the prompts and settings of this team, and the recorded answers.`,
  otherOrder: (file: string) =>
    `Nothing was accepted: other turns would run, so the recorded answers do not fit. ${file} is unchanged. To record it again: huddle run --record ${file} --force "message"`,
};
