import { REAL_CLIS } from '../clis.js';
import { proveConversation } from '../proveConversation.js';
import { proveSimulator } from '../proveSimulator.js';
import { proveTurns } from '../proveTurns.js';

proveTurns(REAL_CLIS.codex);
proveConversation(REAL_CLIS.codex);
proveSimulator(REAL_CLIS.codex);
