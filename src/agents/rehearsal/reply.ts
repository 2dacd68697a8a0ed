import { toOneLine } from '../dialect/summarizeValue.js';

const askedLength = 100;

/** The last section of every prompt layout holds what is asked. */
const lastSectionTitles = ['[MESSAGE]\n', 'Your task:\n'];

/** A short, sensible answer: who speaks, what was asked. Says the same to the same prompt. */
export function makeUpReply(memberName: string, prompt: string): string {
  const asked = toOneLine(askedIn(prompt), askedLength)
    // A marker that is only quoted must not hand off.
    .replace(/[[\]［］]/gu, '');
  return `${memberName} here, in rehearsal. I was asked: "${asked}".`;
}

/** The handoff, on a line of its own. */
export function formatHandoff(next: readonly string[]): string {
  return next.length > 0 ? `\n\n[NEXT: ${next.join(', ')}]` : '';
}

function askedIn(prompt: string): string {
  return prompt.slice(Math.max(...lastSectionTitles.map((title) => endOfLast(prompt, title))));
}

function endOfLast(text: string, title: string): number {
  const start = text.lastIndexOf(title);
  return start < 0 ? 0 : start + title.length;
}
