import { REAL_ACP_AGENTS } from '../acpAgents.js';
import { proveCutOff } from '../proveCutOff.js';

const SAME_PATH = 'Stopped by us as a cancelled turn is.';
/** Gemini CLI takes the prompt of a turn that it cancelled back, whenever that was. */
const TAKES_BACK = 'gemini';
const OWN_WAY = 'How long they try again, and whether they call that a failure, is their own.';

for (const { label, command, args, model, ...program } of REAL_ACP_AGENTS)
  proveCutOff({
    ...program,
    command,
    label: `${label} over ACP`,
    member: { agentType: 'acp', command: [command, ...args], model },
    // A process that is gone cannot say what it had written down, and one that told of no work may not have begun to.
    sessionAfter: (name) => {
      if (name === 'killed while the model is silent') return 'new';
      return name === 'cancelled while the model is silent' && command !== TAKES_BACK ? 'new' : 'resume';
    },
    never: {
      'cancelled while a command runs': SAME_PATH,
      'timed out': SAME_PATH,
      'failed with 429': OWN_WAY,
      'failed with 500': OWN_WAY,
      'failed with 404': OWN_WAY,
      'failed with 529': OWN_WAY,
      'failed after a command': OWN_WAY,
    },
  });
