import type { FleetRefusal } from '../../models/WorkerFile.js';

/** Sentences of the errors around workers and fleets. */
export const fleetErrorText = {
  UNKNOWN_WORKER: ({ role }: { role: string }) =>
    `No worker "${role}" in this store. The owner of the store can invite it with \`huddle store invite <store> ${role} --worker\`.`,
  FLEET_REFUSED: ({ worker, refusal }: { worker: string; refusal: FleetRefusal }) =>
    `${worker} refused: ${wordRefusal(refusal)} Nothing was run.`,
  FLEET_BUSY: (_: object) =>
    'A worker holds this conversation for what it was asked. Speak when it is done: huddle resume.',
};

function wordRefusal(refusal: FleetRefusal): string {
  switch (refusal.because) {
    case 'unknown-key':
      return `it does not know the key of this machine. Add to "askers" in its worker file: ${JSON.stringify(refusal.asker)}: ${JSON.stringify(refusal.key)}`;
    case 'no-team':
      return `it has no team ${JSON.stringify(refusal.team)}. Add it to "teams" in its worker file.`;
    case 'no-person':
      return `its team ${JSON.stringify(refusal.team)} has no person with your role. Add to its team file: { "name": ${JSON.stringify(refusal.asker)}, "type": "human" }`;
    case 'team-unusable':
      return `its team ${JSON.stringify(refusal.team)} cannot be used there. The worker itself says why.`;
    case 'not-prepared':
      return `the folder for its team ${JSON.stringify(refusal.team)} could not be prepared. The worker itself says why.`;
    default:
      return REFUSED[refusal.because];
  }
}

const OTHER = 'the request was made for something else. Someone may have changed it in the store.';
const UNREADABLE = 'it cannot read the request. The Huddle on one of the machines may be too old.';

const REFUSED = {
  'bad-subject': 'a subject has at most 200 letters, digits and _ . / # -.',
  expired: 'the request had expired. Check that the clocks of both machines agree, then ask again.',
  'asked-before':
    'it has run this request already. Someone may have deleted the conversation, or put the request back into the store. Ask anew.',
  'bad-signature': 'the signature of the request is wrong. Someone may have changed it in the store.',
  'other-store': OTHER,
  'other-turn': OTHER,
  'newer-version': UNREADABLE,
  unreadable: UNREADABLE,
  'other-conversation': 'another conversation has this id. Ask again.',
};
