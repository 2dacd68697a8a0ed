import { REAL_CLIS } from '../clis.js';
import { proveConversation } from '../proveConversation.js';
import { proveStandIn } from '../proveStandIn.js';
import { proveTurns } from '../proveTurns.js';

proveTurns(REAL_CLIS.codex);
proveConversation(REAL_CLIS.codex);
proveStandIn(REAL_CLIS.codex);
