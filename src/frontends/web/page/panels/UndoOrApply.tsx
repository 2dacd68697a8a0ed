import { useLayoutEffect, useState } from 'preact/hooks';
import { formatFilePlan } from '../../../../presentation/formatFilePlan.js';
import { sanitizeToOneLine } from '../../../../utils/sanitize.js';
import type { FilesActed } from '../../wire.js';
import { call } from '../api.js';
import { AnswerButton } from '../parts/AnswerButton.js';
import { useFocusKept } from '../parts/useFocus.js';
import { announcement, explainRefusal } from '../state/alerts.js';
import type { OpenConversation } from '../state/OpenConversation.js';
import { panelWords as words } from './panelWords.js';

interface UndoOrApplyProps {
  readonly conversation: OpenConversation;
  /** `turn-4`, `undo-1`. */
  readonly unit: string;
  readonly kind: 'undo' | 'apply';
}

type Progress =
  | { readonly step: 'new' | 'planning' | 'acting' | 'cancelled' | 'done' }
  | { readonly step: 'planned'; readonly plan: FilesActed }
  | { readonly step: 'refused'; readonly error: unknown };

/** Files of a plan that are named. */
const MOST_FILES = 200;

/** Steps in which another button stands in the place of the one that was pressed. */
const TURNING: readonly Progress['step'][] = ['planned', 'refused', 'cancelled'];

/** Puts changes back, or applies them: shows what would be done, and does it when that is confirmed. */
export function UndoOrApply({ conversation, unit, kind }: UndoOrApplyProps) {
  const [progress, setProgress] = useState<Progress>({ step: 'new' });
  const box = useFocusKept<HTMLDivElement>();
  const act = async (isDryRun: boolean) => {
    setProgress({ step: isDryRun ? 'planning' : 'acting' });
    try {
      const body = { do: kind, what: unit, isDryRun };
      const { files: plan } = await call('act', { params: { id: conversation.id }, body });
      setProgress(isDryRun && plan ? { step: 'planned', plan } : { step: 'done' });
      if (!isDryRun) announcement.value = words.webPanels.changes.done[kind];
    } catch (error) {
      setProgress({ step: 'refused', error });
    }
  };
  useLayoutEffect(() => {
    // The first button is the harmless one.
    if (TURNING.includes(progress.step)) box.current?.querySelector('button')?.focus();
  }, [progress.step, box]);
  return (
    <div ref={box} class="undo-or-apply">
      <Step
        progress={progress}
        {...{ unit, kind }}
        onPlan={() => void act(true)}
        onConfirm={() => void act(false)}
        onCancel={() => setProgress({ step: 'cancelled' })}
      />
    </div>
  );
}

interface StepProps extends Pick<UndoOrApplyProps, 'unit' | 'kind'> {
  readonly progress: Progress;
  readonly onPlan: () => void;
  readonly onConfirm: () => void;
  readonly onCancel: () => void;
}

function Step({ progress, unit, kind, onPlan, onConfirm, onCancel }: StepProps) {
  const text = words.webPanels.changes;
  const cancel = (
    <button type="button" class="button" onClick={onCancel}>
      {text.cancel}
    </button>
  );
  switch (progress.step) {
    case 'planned': {
      const { plan } = progress;
      const rest = `huddle ${kind} ${plan.of[0]} --dry-run`;
      const [head, ...lines] = formatFilePlan(plan, MOST_FILES, rest, words).map(sanitizeToOneLine);
      return (
        <fieldset class="plan">
          <legend>{head}</legend>
          <pre>{lines.join('\n')}</pre>
          {cancel}
          <AnswerButton kind="danger" label={text.confirm[kind]} onClick={onConfirm} />
        </fieldset>
      );
    }
    case 'refused':
      return (
        <div class="plan" role="alert">
          <p>{explainRefusal(progress.error)}</p>
          {cancel}
        </div>
      );
    case 'acting':
    case 'done':
      return <span>{progress.step === 'done' ? text.done[kind] : words.webPanels.loading}</span>;
    default: {
      const isBusy = progress.step === 'planning';
      return (
        <button
          type="button"
          class="button"
          aria-disabled={isBusy ? 'true' : undefined}
          onClick={isBusy ? undefined : onPlan}
        >
          {isBusy ? words.webPanels.loading : text[kind](sanitizeToOneLine(unit))}
        </button>
      );
    }
  }
}
