import { REAL_CLIS } from '../clis.js';
import { proveConversation } from '../proveConversation.js';
import { proveSimulator } from '../proveSimulator.js';
import { proveTurns } from '../proveTurns.js';

proveTurns(REAL_CLIS.claude);
proveConversation(REAL_CLIS.claude);
proveSimulator(REAL_CLIS.claude);
