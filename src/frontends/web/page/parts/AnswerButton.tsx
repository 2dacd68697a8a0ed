import { useEffect, useRef, useState } from 'preact/hooks';
import { announcement } from '../state/alerts.js';
import { pageWords as words } from '../state/language.js';
import { Rest } from '../state/requests.js';
import { Icon, type IconName } from './controls.js';

/** Time between two looks: nobody aims at what is there for less. */
const LOOK_MILLISECONDS = 200;

interface AnswerButtonProps {
  readonly icon?: IconName;
  readonly label: string;
  readonly kind?: 'plain' | 'primary' | 'danger';
  readonly isOff?: boolean;
  readonly onClick: () => void;
}

/**
 * A button that answers what is on the screen. A press counts only if the button had been there for a moment when the press
 * began: seen, and in its place. Until then it can be reached, and says so.
 */
export function AnswerButton({ icon, label, kind = 'plain', isOff = false, onClick }: AnswerButtonProps) {
  const button = useRef<HTMLButtonElement>(null);
  const rest = useRef(new Rest());
  /** Whether the press that goes on began in time. */
  const press = useRef<boolean | undefined>(undefined);
  const [isReady, setReady] = useState(false);
  const look = () => {
    const isInTime = rest.current.look(placeOf(button.current), performance.now());
    setReady(isInTime);
    return isInTime;
  };
  useEffect(() => {
    look();
    const clock = setInterval(look, LOOK_MILLISECONDS);
    return () => clearInterval(clock);
  }, []);
  const takeKey = (event: KeyboardEvent) => {
    if (!pressesButtons(event)) return;
    if (!event.repeat) press.current = look();
    else press.current ??= false;
  };
  const takeClick = ({ detail }: MouseEvent) => {
    // Screen readers click without a press. A click of a pointer that was pressed elsewhere is none.
    const isInTime = press.current ?? detail === 0;
    press.current = undefined;
    if (isOff) return;
    if (look() && isInTime) onClick();
    else announcement.value = words.web.readFirst;
  };
  return (
    <button
      ref={button}
      type="button"
      class={`button ${kind}`}
      aria-disabled={isOff || !isReady ? 'true' : undefined}
      title={isReady ? undefined : words.web.readFirst}
      onPointerDown={() => {
        press.current = look();
      }}
      onKeyDown={takeKey}
      onClick={takeClick}
    >
      {icon && <Icon name={icon} />}
      <span>{label}</span>
    </button>
  );
}

function pressesButtons({ key }: KeyboardEvent): boolean {
  return key === 'Enter' || key === ' ';
}

/** The place of a part as it is on the screen; nothing if it is not in view, something is over it, or the person is elsewhere. */
function placeOf(part: HTMLElement | null): string | undefined {
  if (part === null || document.visibilityState !== 'visible' || !document.hasFocus()) return undefined;
  const { left, top, width, height } = part.getBoundingClientRect();
  const isSeen = part.contains(document.elementFromPoint(left + width / 2, top + height / 2));
  const { scale, offsetLeft, offsetTop } = visualViewport ?? { scale: 1, offsetLeft: 0, offsetTop: 0 };
  if (!isSeen) return undefined;
  return [scale, ...[left - offsetLeft, top - offsetTop, width, height].map(Math.round)].join(' ');
}
