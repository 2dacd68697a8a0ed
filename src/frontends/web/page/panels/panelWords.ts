import { filePlanText } from '../../../../catalogue/english/filePlan.js';
import { webPanelsText } from '../../../../catalogue/english/webPanels.js';
import { whyText } from '../../../../catalogue/english/why.js';
import { language, type PanelWords, pageWords } from '../state/language.js';

/** The sentences of the page with those of panels: those come here in English. */
export let panelWords: PanelWords = joinWords();

language.subscribe(() => {
  panelWords = joinWords();
});

function joinWords(): PanelWords {
  return { filePlan: filePlanText, webPanels: webPanelsText, why: whyText, ...pageWords };
}
