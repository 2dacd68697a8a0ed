/** Sentences of the trust question. */
export const trustText = {
  question: (folder: string) => `The team file in ${folder} starts these programs with your rights:`,
  builtIn: (folder: string) =>
    `There is no team file in ${folder}: Huddle starts these programs there, and they load the settings of that folder:`,
  worksIn: (folder: string) => `Agents work in ${folder}, and load the settings of that folder.`,
  programInside: (file: string) => `Starts a program that is inside this project: ${file}`,
  passedOver: (file: string) => `Not started, because it is inside this project: ${file}`,
  fileOutside: (folder: string, file: string) => `Reads a file outside ${folder}: ${file}`,
  noFolder: (folder: string) => `There is no folder ${folder}.`,
  howTo: (commands: readonly string[]) =>
    `Nobody has trusted that yet. Look through it, then run ${commands.join(' and ')}, or add --trust for this run only.`,
  changed: (date: string) => `Changed since you trusted it on ${date}:`,
  ask: 'Trust this folder? Type yes to trust: ',
  done: (folder: string) => `Trusted: ${folder}. You are asked again if the team changes.`,
  already: (folder: string, date: string) => `${folder} is trusted already, since ${date}.`,
  refused: 'Not trusted; nothing was started or changed',
  notInteractive: 'Nobody is here to ask. Look through the list, then run: huddle trust --yes',
  variables: (name: string, names: readonly string[]) =>
    `${name} gets these credentials if they are set: ${names.join(', ')}`,
};
