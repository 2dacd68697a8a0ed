import { REAL_ACP_AGENTS } from '../acpAgents.js';
import { proveFiles } from '../proveFiles.js';

for (const { label, command, args, model, ...program } of REAL_ACP_AGENTS)
  proveFiles({
    ...program,
    command,
    label: `${label} over ACP`,
    member: { agentType: 'acp', command: [command, ...args], model },
  });
