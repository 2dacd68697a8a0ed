/** Sentences of the trust question. */
export const trustText = {
  question: (folder: string) => `The team file in ${folder} will run these commands as you:`,
  builtIn: (folder: string) =>
    `No team file in ${folder}: Huddle will run these commands there, and they load the settings of that folder:`,
  worksIn: (folder: string) => `Agents work in ${folder}, and load the settings of that folder.`,
  programInside: (file: string) => `Runs a program inside this project: ${file}`,
  passedOver: (file: string) => `Not run, because it is inside this project: ${file}`,
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
  variables: (name: string, names: readonly string[]) =>
    `${name} gets these credentials if they are set: ${names.join(', ')}`,
};
