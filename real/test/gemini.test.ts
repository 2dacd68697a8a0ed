import { REAL_CLIS } from '../clis.js';
import { proveConversation } from '../proveConversation.js';
import { proveStandIn } from '../proveStandIn.js';
import { proveTurns } from '../proveTurns.js';

proveTurns(REAL_CLIS.gemini);
proveConversation(REAL_CLIS.gemini);
proveStandIn(REAL_CLIS.gemini);
