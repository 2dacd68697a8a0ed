/** Sentences about what the command line changes for one run. */
export const adjustText = {
  model: (name: string, model: string) => `Model in this run: ${name} uses ${model}.`,
  readOnly: (names: readonly string[]) => `Read-only in this run: ${names.join(', ')}.`,
  notHeld: (names: readonly string[]) =>
    `--read-only does not hold ${names.join(', ')}: ${names.length === 1 ? 'that program runs' : 'those programs run'} as you (no sandbox).`,
  noAgent: (name: string, near: string | undefined, names: readonly string[]) =>
    `No agent "${name}" in this team. ${near === undefined ? `Agents: ${names.join(', ')}.` : `Did you mean ${near}?`}`,
  whichAgent: (model: string, names: readonly string[]) =>
    `This team has several agents. Name one: --model ${names[0] ?? 'member'}=${model} (agents: ${names.join(', ')}).`,
  noModels: (name: string, label: string) => `${name} (${label}) takes no model.`,
  badModel: (entry: string) => `"${entry}" names no model. Write --model member=name, such as max=opus.`,
  noReader: (names: readonly string[]) =>
    `No agent of this team can be held to reading (${names.join(', ')}), so none can be asked.`,
  rehearsed: (id: string) =>
    `Session ${id} is a dry run: simulated agents answered in it. To continue it: huddle resume ${id}`,
  otherFolder: (id: string) => `Session ${id} is of another folder. To read it: huddle show ${id}`,
  noFolder: (folder: string) => `No folder ${folder}.`,
};
