import type { TurnWarning } from '../models/AgentEvent.js';
import type { LimitName } from '../models/ConversationEvent.js';
import { formatNumber } from '../utils/formatNumber.js';
import { counted } from './counted.js';
import { cliText } from './english/cli.js';
import { costText } from './english/cost.js';
import { doctorText } from './english/doctor.js';
import { exitText, failureText } from './english/failures.js';
import { helpText } from './english/help.js';
import { nestedText } from './english/nested.js';
import { noticeText } from './english/notices.js';
import { pageText } from './english/page.js';
import { printText } from './english/print.js';
import { rehearsalText } from './english/rehearsal.js';
import { sessionsText } from './english/sessions.js';
import { standingText } from './english/standing.js';
import { teamCheckText } from './english/teamCheck.js';
import { tellingText } from './english/telling.js';
import { trustText } from './english/trust.js';
import { whyText } from './english/why.js';

/** Every sentence shown to people. Another language is one more object of this shape. */
export const english = {
  unknownSpeaker: (name: string | undefined, people: readonly string[]) =>
    people.length === 0
      ? 'No person in this team; add a member of type "human".'
      : `No person "${name}" in this team. People: ${people.join(', ')}.`,
  decisions: {
    words: { allowed: 'allowed', denied: 'denied', cancelled: 'not answered before the turn ended' },
    makers: {
      person: (name: string) => ` by ${name}`,
      'team-file': " by the team file's allow/deny list",
      permission: " by the member's permission",
      nobody: ' (no one to ask)',
      size: ' (too long to show whole)',
    },
  },
  warnings: {
    'exit-after-answer': ({ command, ...exit }) => `${command}: ${exitText(exit)} after its answer`,
    'lines-skipped': ({ command, lines }) =>
      `${command}: ${counted(lines, 'line')} of output too long; skipped`,
    'system-text-in-prompt': () =>
      'This version of the agent takes no separate system prompt, so Huddle puts it into the prompt.',
    'file-change-failed': () => 'A file change failed.',
  } satisfies { [Code in TurnWarning['code']]: (warning: Extract<TurnWarning, { code: Code }>) => string },
  notices: noticeText,
  failures: failureText,
  limits: {
    agentTurns: (max: number) => `${counted(max, 'agent turn')} in a row`,
    pairTurns: (max: number) => `${counted(max, 'turn')} back and forth between the same two agents`,
    sameAnswer: (max: number) => `the same answer ${counted(max, 'time')}`,
    tokens: (max: number) => `${counted(formatNumber(max), 'token')} used`,
    usd: (max: number) => `${counted(max, 'US dollar')} spent`,
  } satisfies Record<LimitName, (max: number) => string>,
  telling: tellingText,
  print: printText,
  cli: cliText,
  sessions: sessionsText,
  standing: standingText,
  cost: costText,
  why: whyText,
  page: pageText,
  rehearsal: rehearsalText,
  teamCheck: teamCheckText,
  trust: trustText,
  nested: nestedText,
  doctor: doctorText,
  help: helpText,
};
