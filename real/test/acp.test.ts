import { REAL_ACP_AGENTS } from '../acpAgents.js';
import { proveAcp } from '../proveAcp.js';

for (const agent of REAL_ACP_AGENTS) proveAcp(agent);
