import type { AgentType } from '../models/AgentConfig.js';
import type { Limits, Permission, Routing } from '../models/Team.js';

/** A role of a team that no agent has yet. */
export interface PresetRole {
  readonly name: string;
  readonly title: string;
  /** Agent of the role if everything is installed. */
  readonly prefers: AgentType;
  readonly permission: Permission;
  readonly instruction: string;
}

/** A team to begin with: `huddle init` writes it, and `examples/` has each as a file. */
export interface Preset {
  /** Line in the list of presets. */
  readonly summary: string;
  readonly roles: readonly PresetRole[];
  readonly fanout: Routing['fanout'];
  readonly limits: Partial<Limits>;
}

const SPENDING = { usd: 5, tokens: 2_000_000 };

export const PRESETS = {
  council: {
    summary: 'architect, engineer and critic work out one answer',
    roles: [
      {
        name: 'architect',
        title: 'Architect',
        prefers: 'claude-code',
        permission: 'read',
        instruction:
          'You propose one design at a time and hand it to the engineer. When the critic has spoken, change the design or defend it; when nothing new comes, sum up for the human: the decision, its price, the first step.',
      },
      {
        name: 'engineer',
        title: 'Engineer',
        prefers: 'openai-codex',
        permission: 'read',
        instruction:
          'You check the design against the code that is there: what it touches, what is missing, how long it takes. Facts with file names. Hand off to the critic.',
      },
      {
        name: 'critic',
        title: 'Critic',
        prefers: 'google-gemini',
        permission: 'read',
        instruction:
          'You look for what users would notice and attackers would use, and for what is not needed. At most three points, the worst first. Hand back to the architect.',
      },
    ],
    fanout: 'sequential',
    limits: { agentTurns: 12, ...SPENDING },
  },
  pair: {
    summary: 'one plans the next step, one writes it',
    roles: [
      {
        name: 'navigator',
        title: 'Navigator',
        prefers: 'claude-code',
        permission: 'read',
        instruction:
          'You read the code, choose the next small step and say how to tell that it works. You never edit. Hand off to the driver; when the driver is back, check the step and choose the next one, or tell the human that it is done.',
      },
      {
        name: 'driver',
        title: 'Driver',
        prefers: 'openai-codex',
        permission: 'edit',
        instruction:
          'You do the step the navigator chose, and only that: edit, run what shows that it works, say in a few lines what changed. Then hand back to the navigator.',
      },
    ],
    fanout: 'sequential',
    limits: { agentTurns: 12, pairTurns: 12, ...SPENDING },
  },
  review: {
    summary: 'one writes, one reviews until no problems are left',
    roles: [
      {
        name: 'author',
        title: 'Author',
        prefers: 'claude-code',
        permission: 'edit',
        instruction:
          'You write the change and keep it small. When it is ready, say what you changed and why, and hand off to the reviewer.',
      },
      {
        name: 'reviewer',
        title: 'Reviewer',
        prefers: 'openai-codex',
        permission: 'read',
        instruction:
          'Review only; never edit. Report each problem with file, line and impact. Hand back to the author while there are any; when there are none, tell the human.',
      },
    ],
    fanout: 'sequential',
    limits: { agentTurns: 8, pairTurns: 8, ...SPENDING },
  },
  debate: {
    summary: 'three independent answers to one question',
    roles: [
      {
        name: 'bold',
        title: 'For the boldest answer',
        prefers: 'claude-code',
        permission: 'read',
        instruction:
          'You argue for the answer that changes most and gains most. Name its price. Ten sentences at most, and hand off to no one.',
      },
      {
        name: 'careful',
        title: 'For the safest answer',
        prefers: 'openai-codex',
        permission: 'read',
        instruction:
          'You argue for the answer that can go wrong least and be undone most easily. Name what it gives up. Ten sentences at most, and hand off to no one.',
      },
      {
        name: 'simple',
        title: 'For the simplest answer',
        prefers: 'google-gemini',
        permission: 'read',
        instruction:
          'You argue for the answer with the least to build and to keep. Name who will miss something. Ten sentences at most, and hand off to no one.',
      },
    ],
    fanout: 'blind',
    limits: { agentTurns: 9, ...SPENDING },
  },
} as const satisfies Readonly<Record<string, Preset>>;

export type PresetName = keyof typeof PRESETS;

/** The default comes first: it is the one that changes nothing in your files. */
export const PRESET_NAMES = Object.keys(PRESETS) as [PresetName, ...PresetName[]];
