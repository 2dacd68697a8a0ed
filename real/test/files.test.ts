import { findDefinition } from '../../compiled/agents/definitions.js';
import { REAL_CLIS } from '../clis.js';
import { proveFiles } from '../proveFiles.js';

for (const { agentType, model, ...program } of Object.values(REAL_CLIS))
  proveFiles({
    ...program,
    label: findDefinition(agentType)?.label ?? agentType,
    member: { agentType, model },
  });
