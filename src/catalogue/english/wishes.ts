import { counted } from '../counted.js';

/** Words of permission requests. */
export const wishText = {
  /** Wishes of an agent, by the kind of tool. */
  actions: {
    read: 'read a file',
    edit: 'edit a file',
    delete: 'delete a file',
    move: 'move a file',
    search: 'search',
    execute: 'run a command',
    fetch: 'fetch something',
    switch_mode: 'change its mode',
  } as Readonly<Record<string, string>>,
  use: (tool: string) => `use ${tool}`,
  with: (action: string, tool: string) => `${action} (${tool})`,
  /** Labels of the facts of a request, all as wide as each other on a screen. */
  labels: {
    command: 'command  ',
    outside: 'outside  ',
    file: 'file     ',
    title: 'title    ',
    input: 'input    ',
    continued: '         ',
  },
  newFile: (path: string) => `${path} (new file)`,
  nothingChanges: 'nothing changes',
  unchanged: (lines: number) => `${counted(lines, 'line')} unchanged`,
  noLineEnd: 'no line end here',
};
