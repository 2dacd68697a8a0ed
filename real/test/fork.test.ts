import { findDefinition } from '../../compiled/agents/definitions.js';
import { REAL_ACP_AGENTS } from '../acpAgents.js';
import { REAL_CLIS, type RealCli } from '../clis.js';
import { proveForks } from '../proveForks.js';

const { claude, codex, gemini } = REAL_CLIS;

const memberOf = ({ agentType, model }: RealCli) => ({
  label: findDefinition(agentType)?.label ?? agentType,
  member: { agentType, model },
});

proveForks({ ...claude, ...memberOf(claude), latest: 'fork', earlier: 'fork' });
proveForks({ ...codex, ...memberOf(codex), latest: 'fork', earlier: 'new' });
proveForks({ ...gemini, ...memberOf(gemini), latest: 'new', earlier: 'new' });

/** The others do not offer it, and say so when they are asked. */
const FORKING_ACP_AGENTS = ['claude-agent-acp', 'codex-acp', 'OpenCode'];

for (const { label, command, args, model, ...program } of REAL_ACP_AGENTS) {
  const canFork = FORKING_ACP_AGENTS.includes(label);
  proveForks({
    ...program,
    command,
    label: `${label} over ACP`,
    member: { agentType: 'acp', command: [command, ...args], model },
    latest: canFork ? 'fork' : 'new',
    earlier: 'new',
    ...(!canFork && { refuses: true }),
  });
}
