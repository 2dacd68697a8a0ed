import type { Login } from '../../models/TurnOutcome.js';
import { counted } from '../counted.js';
import { loginText } from './failures.js';

/** Sentences shared by several commands. */
export const cliText = {
  error: (code: string, message: string) => `error[${code}]: ${message}`,
  warning: (message: string) => `warning: ${message}`,
  seeHelp: (command: string) => `See: ${command} --help`,
  unknownCommand: (word: string, nearest: string | undefined) =>
    nearest === undefined
      ? `There is no command "${word}".`
      : `There is no command "${word}". Did you mean huddle ${nearest}?`,
  continueAlone:
    '-c stands alone here. To say something in the latest session of this folder: huddle run -c "your message"',
  textWithSpaces: 'Text with spaces goes in quotes.',
  messageAsCommand: (message: string) => `To say that to the team: huddle run "${message}"`,
  unexpected: (message: string) =>
    `${message}; this is a fault in Huddle. Run again with DEBUG=1 to see more`,
  noMessage: 'There is no message. Give it in quotes, with --file FILE, or on standard input.',
  nothingToDo:
    'No message. Type huddle in a terminal, pipe a message into it, or run: huddle run "your message". To see a demo: huddle demo',
  emptyMessage: (source: string) => `The message ${source} is empty; nothing was started.`,
  fromArgument: 'in the argument',
  fromFile: (file: string) => `in ${file}`,
  fromStandardInput: 'on standard input',
  withInput: 'with its input',
  standardInput: 'Standard input',
  pipedInput: (bytes: number) => `Standard input (${counted(bytes.toLocaleString('en'), 'byte')}):`,
  readingInput: 'Reading standard input … If there is nothing to read, add < /dev/null.',
  nothingOnInput: (seconds: number) =>
    `Nothing came on standard input for ${seconds} s; continuing without it.`,
  twoMessages: 'Give the message either in quotes or with --file, not both.',
  cannotRead: (file: string, reason: string) => `${file} cannot be read: ${reason}.`,
  messageTooLarge: (source: string, megabytes: number) =>
    `The message ${source} is larger than ${megabytes} MB; put it into a file and ask the team to read that.`,
  notSent: (text: string) => `What you typed meanwhile reached nobody:\n${text}`,
  notUtf8: (source: string) =>
    `The message ${source} is not UTF-8 text; save it as UTF-8. Nothing was started.`,
  binary: (source: string) => `The message ${source} is binary, not text. Nothing was started.`,
  wholeNumber: 'It must be a whole number of at least 1.',
  money: 'It must be an amount in US dollars above 0.',
  cannotWrite: (reason: string) =>
    `The output could not be written: ${reason}. What was running was stopped; what is kept: huddle sessions`,
  cannotWriteDebug: (file: string, reason: string) => `The debug file ${file} cannot be written: ${reason}`,
  debugFile: (file: string) => `Debug output goes to ${file}`,
  installedTeam: 'No team file here, so the team is made of what is installed.',
  notLoggedIn: (label: string, login: Login | undefined) =>
    `${label} is not logged in.${login === undefined ? '' : ` ${loginText(login)}`}`,
  rehearsalTeam:
    'This is a rehearsal: no agent CLI is installed, so stand-ins answer and nothing is spent. See: huddle doctor',
  trustedOnce: (folder: string) => `Trusted for this run only: ${folder}`,
  unpriced: (names: readonly string[]) =>
    `The limit on dollars cannot count ${names.join(', ')}: add "prices" or limits.tokens to the team file.`,
  noAgentCli: (programs: ReadonlyArray<{ readonly label: string; readonly installHint: string }>) =>
    [
      'No agent CLI found on PATH. Install one:',
      ...programs.map(({ label, installHint }) => `  ${label.padEnd(12)} ${installHint}`),
      'To see a demo with simulated agents: huddle demo',
    ].join('\n'),
  noTeamFile:
    'There is no huddle.jsonc here or in a folder above; without one the team is what is installed, which needs no check. To write one: huddle init',
};
