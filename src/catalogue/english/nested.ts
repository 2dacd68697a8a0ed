/** Sentences of Huddle inside a turn of Huddle. */
export const nestedText = {
  noAgents: (turn: string) =>
    `This runs inside ${turn}, and a member cannot start agents of its own. To ask another member, hand off to it.`,
  onlyPeople: (turn: string) => `This runs inside ${turn}, and only people can do that.`,
  someTurn: 'a turn of Huddle',
};
