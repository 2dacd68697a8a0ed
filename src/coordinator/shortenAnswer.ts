import { KEPT_BEGINNING_BYTES, KEPT_END_BYTES, MAX_MESSAGE_ANSWER_BYTES } from '../models/answerLimits.js';
import { reasonInEnglish } from '../models/errors.js';
import type { TurnOutcome } from '../models/TurnOutcome.js';
import { lastBytes, truncateToBytes, utf8Length } from '../utils/bytes.js';
import { fileReasonOf } from '../utils/fileReason.js';
import { sanitizeToOneLine } from '../utils/sanitize.js';

/** Saves a whole answer and gives its file; nothing where no file can be saved. */
type SaveAnswer = (text: string) => Promise<string> | undefined;

/** Cuts the middle out of an answer or draft that is too long for a message. The whole goes to a file, which the mark names. */
export async function shortenAnswer(outcome: TurnOutcome, save: SaveAnswer): Promise<TurnOutcome> {
  if (outcome.kind === 'completed') return { ...outcome, text: await shorten(outcome.text, save) };
  return { ...outcome, draft: await shorten(outcome.draft, save) };
}

async function shorten(text: string, save: SaveAnswer): Promise<string> {
  const bytes = utf8Length(text);
  if (bytes <= MAX_MESSAGE_ANSWER_BYTES) return text;
  const beginning = truncateToBytes(text, KEPT_BEGINNING_BYTES);
  const end = lastBytes(text, KEPT_END_BYTES);
  const cutBytes = bytes - utf8Length(beginning) - utf8Length(end);
  return `${beginning}\n\n[… ${sanitizeToOneLine(await describeCut(cutBytes, text, save))}]\n\n${end}`;
}

/** Describes the cut in English like the rest of the prompt: agents read it, and the log keeps it as part of the message. */
async function describeCut(bytes: number, text: string, save: SaveAnswer): Promise<string> {
  try {
    const file = await save(text);
    return file === undefined
      ? `${bytes} bytes cut here and not saved`
      : `${bytes} bytes cut here; the whole answer: ${file}`;
  } catch (error) {
    return `${bytes} bytes cut here, which could not be saved: ${reasonInEnglish(fileReasonOf(error))}`;
  }
}
