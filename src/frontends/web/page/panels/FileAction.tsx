import { useState } from 'preact/hooks';
import { words } from '../../../../catalogue/words.js';
import { sanitizeToOneLine } from '../../../../utils/sanitize.js';
import { call } from '../api.js';
import { explainRefusal } from '../state/alerts.js';
import type { OpenConversation } from '../state/OpenConversation.js';

interface FileActionProps {
  readonly conversation: OpenConversation;
  /** `turn-4`, `undo-1`. */
  readonly unit: string;
  readonly kind: 'undo' | 'apply';
}

type Progress =
  | { readonly step: 'start' | 'busy' | 'done' }
  | { readonly step: 'planned'; readonly plan: readonly string[] }
  | { readonly step: 'refused'; readonly error: unknown };

/** Puts changes back, or applies them: shows what would be done, and does it when that is confirmed. */
export function FileAction({ conversation, unit, kind }: FileActionProps) {
  const [progress, setProgress] = useState<Progress>({ step: 'start' });
  const text = words.webPanels.changes;
  const act = async (isDryRun: boolean) => {
    setProgress({ step: 'busy' });
    try {
      const body = { do: kind, what: unit, isDryRun };
      const { plan = [] } = await call('act', { params: { id: conversation.id }, body });
      setProgress(isDryRun ? { step: 'planned', plan } : { step: 'done' });
    } catch (error) {
      setProgress({ step: 'refused', error });
    }
  };
  switch (progress.step) {
    case 'planned':
      return (
        <fieldset class="plan">
          <legend>{progress.plan.length === 0 ? text.nothingToDo : text.plan[kind]}</legend>
          <pre>{progress.plan.map(sanitizeToOneLine).join('\n')}</pre>
          <button type="button" class="button" onClick={() => setProgress({ step: 'start' })}>
            {text.cancel}
          </button>
          <button type="button" class="button danger" onClick={() => void act(false)}>
            {text.confirm[kind]}
          </button>
        </fieldset>
      );
    case 'refused':
      return (
        <div class="plan" role="alert">
          <p>{explainRefusal(progress.error)}</p>
          <button type="button" class="button" onClick={() => setProgress({ step: 'start' })}>
            {text.cancel}
          </button>
        </div>
      );
    case 'done':
      return <span role="status">{text.done[kind]}</span>;
    default:
      return (
        <button
          type="button"
          class="button"
          aria-disabled={progress.step === 'busy' ? 'true' : undefined}
          onClick={progress.step === 'busy' ? undefined : () => void act(true)}
        >
          {progress.step === 'busy' ? words.webPanels.loading : text[kind](sanitizeToOneLine(unit))}
        </button>
      );
  }
}
