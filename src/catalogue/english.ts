import { counted } from './counted.js';
import { acpText, acpViewText } from './english/acp.js';
import { cassetteText } from './english/cassette.js';
import { cliText } from './english/cli.js';
import { companyText } from './english/company.js';
import {
  costText,
  decisionText,
  limitText,
  sessionStatusText,
  typedText,
  warningText,
} from './english/conversation.js';
import { errorText } from './english/errors.js';
import { failureText } from './english/failures.js';
import { filePlanText } from './english/filePlan.js';
import { fileRecordText } from './english/fileRecords.js';
import { filesText } from './english/files.js';
import { fleetText } from './english/fleet.js';
import { helpText } from './english/help.js';
import { eventFaultText } from './english/importFaults.js';
import { joiningText } from './english/joining.js';
import { mcpText } from './english/mcp.js';
import { presetText } from './english/presets.js';
import { reasonText } from './english/reasons.js';
import { recordingText } from './english/recording.js';
import { rehearsalText } from './english/rehearsal.js';
import { replayText } from './english/replay.js';
import { forksText, printText, sessionsText } from './english/sessions.js';
import { storesText } from './english/stores.js';
import { adjustText, configText, doctorText, initText } from './english/team.js';
import { teamFileText } from './english/teamFile.js';
import { noticeText, tellingText } from './english/telling.js';
import { terminalText } from './english/terminal.js';
import { webDoorText, webLogText, webText } from './english/web.js';
import { webPanelsText } from './english/webPanels.js';
import { whyText } from './english/why.js';
import { wishText } from './english/wishes.js';
import { elsewhereText, workersText } from './english/workers.js';

/** Every sentence shown to people. Another language is one more object of this shape. */
export const english = {
  language: 'en',
  joining: joiningText,
  decisions: decisionText,
  warnings: warningText,
  notices: noticeText,
  fileRecords: fileRecordText,
  failures: failureText,
  cassette: cassetteText,
  errors: errorText,
  eventFault: eventFaultText,
  reasons: reasonText,
  limits: limitText,
  telling: tellingText,
  elsewhere: elsewhereText,
  workers: workersText,
  print: printText,
  acpView: acpViewText,
  cli: cliText,
  company: companyText,
  config: configText,
  adjust: adjustText,
  sessions: sessionsText,
  files: filesText,
  filePlan: filePlanText,
  sessionStatus: sessionStatusText,
  cost: costText,
  typed: typedText,
  acp: acpText,
  webLog: webLogText,
  fleet: fleetText,
  forks: forksText,
  replay: replayText,
  why: whyText,
  /** Sentences of an exported page. */
  page: {
    conversation: 'Conversation',
    rehearsal: 'dry run',
    fromTo: (from: string, to: string, zone: string) => `From ${from} to ${to} (${zone})`,
    members: 'Members',
    askedFor: (tool: string, subject: string, decision: string) =>
      `asked permission for ${tool}: ${subject} (${decision})`,
    tool: (name: string, input: string, failed: boolean) => `${name}: ${input}${failed ? ' (failed)' : ''}`,
    requests: (count: number) => counted(count, 'permission request'),
    toolCalls: (count: number) => counted(count, 'tool call'),
    changedFiles: (count: number) => counted(count, 'changed file'),
    prompt: (bytes: string, max: string) => `Prompt: ${bytes} of ${max} bytes`,
    usage: 'Usage',
    usageOf: (turns: number, money: string) => `Usage: ${counted(turns, 'turn')}${money && `, ${money}`}`,
  },
  stores: storesText,
  rehearsal: rehearsalText,
  teamFile: teamFileText,
  presets: presetText,
  recording: recordingText,
  wishes: wishText,
  /** Sentences of `huddle team check`. */
  teamCheck: {
    valid: (file: string, agents: number, people: number) =>
      `${file} is valid: ${counted(agents, 'agent')}, ${counted(people, 'person', 'people')}.`,
    member: (name: string, facts: readonly string[]) => `  ${name}: ${facts.join(', ')}`,
    next: 'Next: huddle rehearse',
  },
  /** Sentences of the trust question. */
  trust: {
    question: (folder: string) => `The team file in ${folder} will run these commands as you:`,
    defaultTeam: (file: string) => `Your default team, ${file}, will run these commands as you:`,
    builtIn: (folder: string) =>
      `Huddle will run these commands in ${folder}, and they load the settings of that folder:`,
    worksIn: (folder: string) => `Agents work in ${folder}, and load the settings of that folder.`,
    programInside: (file: string) => `Runs a program inside this project: ${file}`,
    passedOver: (file: string) => `Not run, because it is inside this project: ${file}`,
    grants: (label: string, file: string) => `Lets ${label} run commands without asking: ${file}`,
    marksTrusted: (label: string, file: string) =>
      `${label} will mark this folder as trusted in its own settings, and load ${file}`,
    fileOutside: (folder: string, file: string) => `Reads a file outside ${folder}: ${file}`,
    noFolder: (folder: string) => `No folder ${folder}.`,
    howTo: (commands: readonly string[]) =>
      `You have not approved this yet. Review it, then run ${commands.join(' and ')}, or add --trust for this run only.`,
    changed: (date: string) => `Changed since you trusted it on ${date}:`,
    ask: 'Trust this folder? [y/N] ',
    done: (folder: string) => `Trusted ${folder}. You'll be asked again if the team changes.`,
    already: (folder: string, date: string) => `${folder} is already trusted (since ${date}).`,
    refused: 'Not trusted. Nothing was run or changed.',
    notInteractive: "Can't ask here (no terminal). Review the list, then run: huddle trust --yes",
    programs: {
      runs: (member: string, command: string) => `${member} runs ${command}`,
      rights: (rights: string, environment: string) => `${rights}, environment ${environment}`,
      isCheck: 'runs automatically after each turn that changes files',
      asks: (member: string, worker: string) =>
        `${member} is asked on ${worker}, signed with the key of this machine`,
      setup: (command: string) => `every new copy runs ${command}`,
      details: {
        model: 'model',
        allowed: 'allowed',
        denied: 'denied',
        instructionFile: 'instruction file',
      },
    },
    changes: {
      newMember: (path: string) => `${path}: new member`,
      added: (path: string, value: string) => `${path}: new, ${value}`,
      changed: (path: string, value: string, old: string | undefined) =>
        old === undefined ? `${path}: now ${value}` : `${path}: ${old}, now ${value}`,
      removed: (path: string) => `${path}: removed`,
    },
    variables: (name: string, names: readonly string[]) =>
      `${name} gets these credentials if they are set: ${names.join(', ')}`,
  },
  /** Sentences of Huddle inside a turn of Huddle. */
  nested: {
    noAgents: (turn: string) =>
      `This runs inside ${turn}, and a member cannot start agents of its own. To ask another member, hand off to it.`,
    onlyPeople: (turn: string) => `This runs inside ${turn}, and only people can do that.`,
    someTurn: 'a turn of Huddle',
  },
  mcp: mcpText,
  webPanels: webPanelsText,
  webDoor: webDoorText,
  doctor: doctorText,
  help: helpText,
  terminal: terminalText,
  init: initText,
  web: webText,
};
