import { REAL_CLIS } from '../clis.js';
import { proveConversation } from '../proveConversation.js';
import { proveStandIn } from '../proveStandIn.js';
import { proveTurns } from '../proveTurns.js';

proveTurns(REAL_CLIS.claude);
proveConversation(REAL_CLIS.claude);
proveStandIn(REAL_CLIS.claude);
