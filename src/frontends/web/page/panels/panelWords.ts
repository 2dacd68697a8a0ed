import { filePlanText } from '../../../../catalogue/english/filePlan.js';
import { webPanelsText } from '../../../../catalogue/english/webPanels.js';
import { whyText } from '../../../../catalogue/english/why.js';
import { english } from '../../../../catalogue/english.js';

// English comes with the page's first file, but for what only panels say: the bundle leaves that out there, and it comes with them.
Object.assign(english, { filePlan: filePlanText, webPanels: webPanelsText, why: whyText });
