import { findDefinition } from '../../compiled/agents/definitions.js';
import { REAL_CLIS, type RealCli } from '../clis.js';
import { proveCutOff } from '../proveCutOff.js';

const { claude, codex, gemini } = REAL_CLIS;

const memberOf = ({ agentType, model }: RealCli) => ({
  label: findDefinition(agentType)?.label ?? agentType,
  member: { agentType, model },
});

proveCutOff({ ...claude, ...memberOf(claude), sessionAfter: () => 'fork' });
proveCutOff({
  ...codex,
  ...memberOf(codex),
  sessionAfter: () => 'resume',
  never: { 'cancelled in the middle of a sentence': 'It shows nothing before a sentence is whole.' },
});
proveCutOff({ ...gemini, ...memberOf(gemini), sessionAfter: () => 'resume' });
