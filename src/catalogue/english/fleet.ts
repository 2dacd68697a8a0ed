/** Words of `huddle run --on`, and of a worker about the conversations that it holds. */
export const fleetText = {
  needsOn: (option: string) => `${option} needs --on ROLE.`,
  needsTeam: '--on needs --team NAME: the name of a team in the worker file.',
  needsStore: '--on needs a shared store. Pass --store NAME.',
  badSubject: (subject: string) =>
    `--subject is ${JSON.stringify(subject)}. Use 1 to 200 letters, digits and _ . / # -.`,
  waiting: (role: string) => `Waiting for a worker of ${role} …`,
  withdrawn: 'The request was taken back. Nothing was run.',
  stopping: 'Stopping the running turns …',
  /** The folder of the conversation is the worker's, so it is not the latest of this one. */
  saved: (id: string, huddle: string) => `Saved as ${id}. To continue: ${huddle} resume ${id}`,
  news: {
    begun: (id: string) => `Holding ${id}`,
    resumed: (id: string) => `Going on with ${id}`,
    ended: (id: string) => `${id} has ended`,
    'given-back': (id: string) => `Gave ${id} back`,
    refused: (id: string, why: string) => `Refused ${id}: ${why}`,
  },
};
