import type { Login } from '../../models/TurnOutcome.js';
import { counted } from '../counted.js';
import { loginText } from './failures.js';

/** Sentences shared by several commands. */
export const cliText = {
  error: (code: string, message: string) => `error[${code}]: ${message}`,
  warning: (message: string) => `warning: ${message}`,
  unknownLanguage: (source: string, value: string, known: readonly string[]) =>
    `${source} must be one of ${known.join(', ')}, not "${value}".`,
  /** Faults of a command line. */
  syntax: {
    missingArgument: (name: string) => `missing required argument '${name}'.`,
    missingValue: (option: string) => `option '${option}' argument missing.`,
    unknownOption: (option: string, near: string | undefined) =>
      near === undefined
        ? `unknown option '${option}'.`
        : `unknown option '${option}' (Did you mean ${near}?).`,
    permissionOption: (option: string) =>
      `unknown option '${option}'. Set "permission" of each agent in the team file, or use --read-only.`,
    tooMany: (command: string | undefined, most: number, given: number) =>
      `too many arguments${command === undefined ? '' : ` for '${command}'`}. Expected ${counted(most, 'argument')} but got ${given}. Put text with spaces in quotes.`,
    unknownSubcommand: (word: string, near: string | undefined) =>
      near === undefined
        ? `unknown command '${word}'.`
        : `unknown command '${word}' (Did you mean ${near}?).`,
    conflict: (one: string, other: string) => `option '${one}' cannot be used with option '${other}'.`,
    badValue: (option: string, value: string, reason: string) =>
      `option '${option}' argument '${value}' is invalid. ${reason}`,
    badArgument: (name: string, value: string, reason: string) =>
      `command-argument value '${value}' is invalid for argument '${name}'. ${reason}`,
    choices: (values: readonly string[]) => `Allowed choices are ${values.join(', ')}.`,
  },
  seeHelp: (command: string) => `See: ${command} --help`,
  unknownCommand: (word: string, nearest: string | undefined) =>
    nearest === undefined
      ? `Unknown command "${word}".`
      : `Unknown command "${word}". Did you mean huddle ${nearest}?`,
  continueAlone:
    '-c takes no command. Type huddle -c or huddle -c "message" to continue the latest session in this folder.',
  messageAsCommand: (word: string, message: string) =>
    `Unknown command "${word}". Type huddle run "${message}" to send it to the team.`,
  noFolder: (folder: string, reason: string) => `-C ${folder}: ${reason}.`,
  unexpected: (message: string) => `${message}. This is a bug in Huddle. Rerun with DEBUG=1 for details`,
  /** An error of the system that came through: its own words are the best there are. */
  systemError: (
    { code, message }: { code: string; message: string; path?: string | undefined },
    _reason: string,
  ) => message.replace(`${code}: `, ''),
  noMessage: 'No message. Pass it in quotes, with --file FILE, or on stdin.',
  nothingToDo:
    'No message. Type huddle in a terminal, pipe a message into it, or run: huddle run "your message". To see a demo: huddle demo',
  emptyMessage: (source: string) => `The message ${source} is empty. Nothing was run.`,
  fromArgument: 'in the argument',
  fromFile: (file: string) => `in ${file}`,
  fromStandardInput: 'on standard input',
  withInput: 'with its input',
  standardInput: 'Standard input',
  readingInput: 'Reading standard input … If there is nothing to read, add < /dev/null.',
  nothingOnInput: (seconds: number) =>
    `Nothing came on standard input for ${seconds} s; continuing without it.`,
  commandOfTerminal: (name: string) => `/${name} is a command of the terminal: run huddle, then type it.`,
  sendAsIs: (reason: string) => `${reason} To send it as it is, pass it with --file FILE or on stdin.`,
  twoMessages: 'Pass the message either in quotes or with --file, not both.',
  cannotRead: (file: string, reason: string) => `${file} cannot be read: ${reason}.`,
  messageTooLarge: (source: string, megabytes: number) =>
    `The message ${source} is larger than ${megabytes} MB; put it into a file and ask the team to read that.`,
  notSent: (text: string) => `What you typed was not sent:\n${text}`,
  notUtf8: (source: string) => `The message ${source} is not UTF-8 text; save it as UTF-8. Nothing was run.`,
  binary: (source: string) => `The message ${source} is binary, not text. Nothing was run.`,
  age: 'It must be a number of hours, days or weeks: 12h, 30d or 8w.',
  wholeNumber: 'It must be a whole number of at least 1.',
  money: 'It must be an amount in US dollars above 0.',
  cannotWrite: (reason: string) =>
    `The output could not be written: ${reason}. The running turn was stopped. Saved sessions: huddle sessions`,
  cannotWriteDebug: (file: string, reason: string) => `The debug file ${file} cannot be written: ${reason}`,
  debugFile: (file: string) => `Debug output goes to ${file}`,
  defaultTeam: (file: string) => `No team file here: using your default team, ${file} (huddle config)`,
  installedTeam: 'No team file: using the CLIs installed here, read-only.',
  notLoggedIn: (label: string, login: Login | undefined) =>
    `${label} is not logged in.${login === undefined ? '' : ` ${loginText(login)}`}`,
  rehearsalTeam:
    'Dry run: no agent CLI is installed, so simulated agents answer at no cost. See: huddle doctor',
  trustedOnce: (folder: string) => `Trusted for this run only: ${folder}`,
  unpriced: (what: readonly string[]) =>
    `The limit on dollars cannot count ${what.join(', ')}: no price. Set limits.tokens in the team file as well, or add the price.`,
  noAgentCli: (programs: ReadonlyArray<{ readonly label: string; readonly installHint: string }>) =>
    [
      'No agent CLI found on PATH. Install one:',
      ...programs.map(({ label, installHint }) => `  ${label.padEnd(12)} ${installHint}`),
      'To see a demo with simulated agents: huddle demo',
    ].join('\n'),
  noTeamFile:
    'No huddle.jsonc here or in a folder above, so there is nothing to check. Create one: huddle init',
};
