/** Space between a button and its menu. */
const GAP = 4;

/** Puts a menu below the button that was pressed for it, wherever that is now. */
export function placeMenu(menuId: string, button: HTMLElement): void {
  const { bottom, right } = button.getBoundingClientRect();
  const style = document.getElementById(menuId)?.style;
  style?.setProperty('inset-block-start', `${bottom + GAP}px`);
  style?.setProperty('inset-inline-end', `${Math.max(GAP, document.documentElement.clientWidth - right)}px`);
}
