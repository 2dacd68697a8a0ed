import type { RecordedEvent } from '../../../models/ConversationEvent.js';
import type { ChangedFileShown } from '../wire.js';

/** The files that agents said they changed, by turn. Their lines are not known. */
export class ReportedChanges {
  readonly #turns = new Map<string, Map<string, ChangedFileShown['change']>>();

  note(event: RecordedEvent): void {
    if (event.type !== 'turn-activity' || event.event.type !== 'file-change') return;
    const { path, change } = event.event;
    const files = this.#turns.get(event.turnId) ?? new Map();
    this.#turns.set(event.turnId, files.set(path, change));
  }

  /** Lists the files of one turn, or of all. */
  list(turnId?: string): readonly ChangedFileShown[] {
    const found = new Map<string, ChangedFileShown>();
    for (const [turn, files] of this.#turns) {
      if (turnId !== undefined && turn !== turnId) continue;
      for (const [path, change] of files) {
        const units = [...(found.get(path)?.units ?? []), turn];
        found.set(path, { path, change, added: 0, removed: 0, units, parts: [] });
      }
    }
    return [...found.values()];
  }
}
