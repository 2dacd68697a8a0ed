import { words } from '../../../../catalogue/words.js';

interface MentionMenuProps {
  readonly names: readonly string[];
  readonly marked: number;
  readonly onChoose: (name: string) => void;
}

/** Names that fit what was typed after `@`. The keys stay in the field above. */
export function MentionMenu({ names, marked, onChoose }: MentionMenuProps) {
  return (
    <div class="menu mentions" role="listbox" aria-label={words.web.panels.members}>
      {names.map((name, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are taken by the field, which keeps the focus.
        <div
          key={name}
          id={mentionId(index)}
          role="option"
          tabIndex={-1}
          aria-selected={index === marked}
          // The field would lose the focus before the click comes.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(name)}
        >
          {`@${name}`}
        </div>
      ))}
    </div>
  );
}

export function mentionId(index: number): string {
  return `mention-${index}`;
}
