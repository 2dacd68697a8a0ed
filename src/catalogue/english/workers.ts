import type { Notice } from '../../models/ConversationEvent.js';
import type { MemberId } from '../../models/ids.js';
import type { FailureFacts } from '../../models/TurnOutcome.js';

type FailureOf<Reason extends FailureFacts['reason']> = Extract<FailureFacts, { reason: Reason }>;
type Explanation = readonly [what: string, hint: string];
type Refused = FailureOf<'worker-refused'>;

const tampered = ({ worker }: Refused): Explanation => [
  `${worker} refused a request that is not as it was signed`,
  'Someone may have changed it there. Tell the owner of the store.',
];

const REFUSED: { readonly [Because in Refused['because']]: (facts: Refused) => Explanation } = {
  'unknown-key': ({ worker, asker = 'you', key = '' }) => [
    `${worker} does not know the key of this machine`,
    `Add to "askers" in its worker file: ${JSON.stringify(asker)}: ${JSON.stringify(key)}`,
  ],
  'asker-not-allowed': ({ worker, member, asker = 'you' }) => [
    `${worker} does not let ${asker} ask ${member}`,
    `Add ${JSON.stringify(asker)} to "askers" of ${member} in its worker file.`,
  ],
  'not-offered': ({ worker, member, agentType = '' }) => [
    `${worker} does not run ${member}`,
    `Add to "members" in its worker file: { "name": ${JSON.stringify(member)}, "agentType": ${JSON.stringify(agentType)}, "folder": "…" }`,
  ],
  'other-agent': ({ worker, member, agentType = '' }) => [
    `${member} is another agent on ${worker}`,
    `Set "agentType" of ${member} to ${JSON.stringify(agentType)} in the team file.`,
  ],
  'asked-before': ({ worker }) => [`${worker} was asked for this turn before`, 'Retry to ask for a new one.'],
  'too-large': ({ worker }) => [
    `the turn is too large for ${worker}`,
    'Lower context.maxBytes, or ask for less.',
  ],
  expired: ({ worker }) => [
    `the request had expired when ${worker} took it`,
    'Check the clocks of both machines, then retry.',
  ],
  'bad-signature': tampered,
  'other-store': tampered,
  'other-turn': tampered,
  'newer-version': ({ worker, found, known }) => [
    `${worker} knows requests up to version ${known}; this one has ${found}`,
    `Update Huddle on ${worker}.`,
  ],
  unreadable: tampered,
};

/** Failures of turns that run on another machine. */
export const workerFailureText = {
  'no-worker': ({ worker, minutes, account, isUnknown }: FailureOf<'no-worker'>): Explanation => {
    if (isUnknown)
      return [
        `${worker} is not a worker of this store`,
        `Check "runsOn", or let the owner of the store run: huddle store invite NAME ${worker} --worker`,
      ];
    return account === undefined
      ? [`no worker of ${worker} took the turn within ${minutes} min`, 'Run huddle worker there, then retry.']
      : [
          `account ${account} had no free place on ${worker} for ${minutes} min`,
          'Retry later, or raise its number in "accounts" of the worker file.',
        ];
  },
  'worker-refused': (facts: Refused): Explanation => REFUSED[facts.because](facts),
};

/** Notices about turns that run on another machine. */
export const workerNoticeText = {
  'worker-lost': (
    { memberId, worker }: Extract<Notice, { code: 'worker-lost' }>,
    nameOf: (memberId: MemberId) => string,
  ) => `${worker} is gone; ${nameOf(memberId)}'s turn was interrupted. It was not rerun; you can retry it.`,
};

/** Words about turns and members of other machines. */
export const elsewhereText = {
  waits: (name: string, worker: string, why: string) => `Waiting for ${worker} to run ${name} (${why})`,
  seen: (ago: string) => `last seen ${ago}`,
  never: 'never seen',
  busy: 'busy',
  full: (name: string, account: string, running: number, atOnce: number) =>
    `${name} waits: ${account} has ${running} of ${atOnce}`,
  runsOn: (worker: string) => `on ${worker}`,
};

/** Words of `huddle worker`. */
export const workersText = {
  here: (place: string, members: readonly string[], atOnce: number) =>
    `${place} runs ${members.join(', ') || 'no members'} (${atOnce} at once). Press Ctrl-C to stop.`,
  noAskers:
    'No "askers" in the worker file, so every request will be refused. Add the line that huddle key prints.',
  asked: (asker: string, member: string, turn: string) => `${asker} asked ${member} (${turn})`,
  ended: (member: string, turn: string, outcome: string, duration: string) =>
    `${member} ${outcome} after ${duration} (${turn})`,
  outcomes: {
    completed: 'finished',
    failed: 'failed',
    cancelled: 'was stopped',
    'timed-out': 'timed out',
    interrupted: 'was interrupted',
  },
  withdrawn: (member: string, turn: string) => `${member} was stopped: the turn was withdrawn (${turn})`,
  refused: (role: string, member: string, turn: string, why: string) =>
    `Refused ${role}'s request for ${member} (${turn}): ${why}`,
  finishing: (count: number) =>
    count === 1
      ? 'Taking no new turns; finishing 1. Press Ctrl-C again to stop it.'
      : `Taking no new turns; finishing ${count}. Press Ctrl-C again to stop them.`,
  noFile: (file: string, example: string) =>
    `No worker file: ${file} does not exist. It says what may run here, and who may ask. Create it, for example:\n${example}\nAll fields: docs/machines.md, "The worker file". To use another file: huddle worker --file FILE`,
  exampleFile: (store: string, folder: string) => `{
  "version": 1,
  "store": ${store},
  "askers": { "kim": "ed25519:…" }, // run huddle key on kim's machine, and paste what it prints
  "members": [{ "name": "sarah", "agentType": "codex", "folder": ${folder} }]
}`,
  whichStore: 'Which store? Pass --store NAME, or add "store" to the worker file.',
  stopping: 'Stopping the running turns.',
};
