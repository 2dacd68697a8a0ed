import type { Played } from './playRecording.js';
import { describeUsage } from './playRecording.js';

/** Name, outcome, answer or what had arrived of it, usage, first eight characters of the session id. */
export type Expectation = readonly [
  name: string,
  outcome: Played['outcome'],
  text: string,
  usage: string,
  session: string,
];

/** The scripted answers of the recordings. */
export const HELLO = 'Hello from the fake model.';
export const MULTI = 'First second third — ünïcode ✓ line\nbreak and `code` {"json":true} end.';
export const BEFORE_TOOL = 'I will use a tool.';
export const TOOL_ANSWER = 'I will use a tool.\n\nThe tool ran; all done.';

/** A played recording in the form of a row; a text over 200 characters as its length and beginning. */
export function asExpectation(name: string, played: Played): Expectation {
  const text = played.text.length > 200 ? `${played.text.length} ${played.text.slice(0, 20)}` : played.text;
  return [name, played.outcome, text, describeUsage(played.usage), played.sessionId?.slice(0, 8) ?? ''];
}
