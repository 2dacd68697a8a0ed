import type { FileDiff } from '../../models/AgentEvent.js';

interface ShownEdit {
  readonly toolId: string | undefined;
  /** Links resolved. */
  readonly file: string;
  readonly diff: FileDiff;
}

/**
 * Edits that were allowed as they were shown, so that no one is asked twice for one act: some agents ask, and then write
 * through us. Each can be written once, while its tool call runs, and only if it makes of the file what was shown.
 */
export class ShownEdits {
  #edits: readonly ShownEdit[] = [];

  add(edit: ShownEdit): void {
    this.#edits = [...this.#edits, edit];
  }

  /** Whether this write is one of them; it is used up by that. `current` is null for a file that is not there. */
  take(file: string, current: string | null | undefined, content: string): boolean {
    const edit = this.#edits.find((each) => each.file === file && makes(each.diff, current, content));
    this.#edits = this.#edits.filter((each) => each !== edit);
    return edit !== undefined;
  }

  /** The tool call is over. */
  forget(toolId: string): void {
    this.#edits = this.#edits.filter((edit) => edit.toolId !== toolId);
  }
}

/** A diff is of the whole file, or of one place in it. */
function makes({ oldText, newText }: FileDiff, current: string | null | undefined, content: string): boolean {
  if (current === undefined) return false;
  if (oldText === null || oldText === '') return (current ?? '') === '' && content === newText;
  if (current === null) return false;
  const place = current.indexOf(oldText);
  const isOnlyOne = place >= 0 && current.indexOf(oldText, place + 1) < 0;
  return isOnlyOne && content === current.slice(0, place) + newText + current.slice(place + oldText.length);
}
