import { setCapabilities } from '@earendil-works/pi-tui';
import type { Drawing } from './Drawing.js';
import { renderStatus, renderTurns } from './renderLive.js';
import { ScrollbackQueue } from './ScrollbackQueue.js';
import type { ViewSource } from './TerminalView.js';
import { createTheme } from './theme.js';

/** Lays out what a session knows, whenever it is asked. */
export function createDrawing(source: ViewSource): Drawing {
  // Links are printed in full: a link whose target is hidden is one more way to mislead.
  setCapabilities({ images: null, trueColor: false, hyperlinks: false });
  const theme = createTheme(source.hasColour);
  const look = (width: number) => ({ width, frame: source.frame(), theme });
  return {
    transcript: new ScrollbackQueue(theme),
    renderTurns: (width, rows) => renderTurns(source.screen(), { ...look(width), rows }),
    renderStatus: (width) => renderStatus(source.status(), look(width)),
  };
}
