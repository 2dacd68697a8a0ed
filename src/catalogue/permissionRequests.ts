import type { PermissionRequestEvent } from '../models/AgentEvent.js';
import { type Catalogue, words as spoken, type WordsOf } from './words.js';

type Request = Omit<PermissionRequestEvent, 'type'>;

/** A line about a request, and what stands before it. */
export type LabelledLine = readonly [label: string, line: string];

type LabelName = keyof Catalogue['wishes']['labels'];

/** On any system: a page shows what was asked on another one. */
const ABSOLUTE = /^(?:[\\/]|[A-Za-z]:)/u;
const LINE_END = '⏎';
const SHORT_JSON = 60;

/** Describes what an agent wants to do: `run a command (Bash)`. */
export function describeWish(
  { name, kind = '', command }: Request,
  words: WordsOf<'wishes'> = spoken,
): string {
  const { actions, use, with: withTool } = words.wishes;
  const wanted = command === undefined ? kind : 'execute';
  const action = Object.hasOwn(actions, wanted) ? actions[wanted] : undefined;
  if (action === undefined) return use(name);
  return name === kind ? action : withTool(action, name);
}

/** The same in one line, by what is done and not by what the agent calls it. */
export function summarizeRequest(request: Request): string {
  return `${request.name} ${subjectOf(request)}`.trim();
}

/** Summarises a request on one line: the whole command, every file, or at least its title. */
export function subjectOf({ input, command, paths = [] }: Request): string {
  if (command !== undefined) return markLineEnds(command).join(' ');
  return paths.length > 0 ? paths.join(', ') : input;
}

/** Everything else that is known about it, nothing left out. Not yet safe to show. */
export function describeRequest(
  request: Request,
  words: WordsOf<'wishes'> = spoken,
): readonly LabelledLine[] {
  const { labels } = words.wishes;
  const label = (name: LabelName, lines: readonly string[]): readonly LabelledLine[] =>
    lines.map((line, index) => [index === 0 ? labels[name] : labels.continued, line]);
  const { input, command, paths = [], title = '', arguments: rest } = request;
  const lines = [
    ...(command === undefined ? [] : label('command', markLineEnds(command))),
    ...paths.flatMap((path) => label(ABSOLUTE.test(path) ? 'outside' : 'file', markLineEnds(path || '.'))),
    ...(title === '' || title === command ? [] : label('title', markLineEnds(title))),
    ...(rest === undefined ? [] : label('input', spreadJson(rest))),
  ];
  return lines.length > 0 ? lines : label('input', [input]);
}

/** Marks a line end of the text itself, as opposed to wrapping. */
function markLineEnds(text: string): readonly string[] {
  return text.split('\n').map((line, index, all) => (index < all.length - 1 ? `${line} ${LINE_END}` : line));
}

/** Long JSON over several lines. What is no JSON stays as it is: a log may come from anywhere. */
function spreadJson(text: string): readonly string[] {
  if (text.length <= SHORT_JSON) return [text];
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2).split('\n');
  } catch {
    return markLineEnds(text);
  }
}
