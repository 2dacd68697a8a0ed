import { REAL_CLIS } from '../clis.js';
import { proveConversation } from '../proveConversation.js';
import { proveSimulator } from '../proveSimulator.js';
import { proveTurns } from '../proveTurns.js';

proveTurns(REAL_CLIS.gemini);
proveConversation(REAL_CLIS.gemini);
proveSimulator(REAL_CLIS.gemini);
