import type { AgentType } from '../models/AgentConfig.js';
import type { Limits, Permission, Routing } from '../models/Team.js';
import { words } from './words.js';

/** A role of a team that no agent has yet, without its texts. */
interface RoleOutline {
  readonly name: string;
  /** Agent of the role if everything is installed. */
  readonly prefers: AgentType;
  readonly permission: Permission;
}

export interface PresetRole extends RoleOutline {
  readonly title: string;
  readonly instruction: string;
}

interface PresetOutline {
  readonly roles: readonly RoleOutline[];
  readonly fanout: Routing['fanout'];
  /** Recipients of a blind round, as `[NEXT: …]` names them. */
  readonly round?: string;
  readonly limits: Partial<Limits>;
  /** Whether the tests of the project run after each change: where they are found, or asked for. */
  readonly check?: 'if-found' | 'wanted';
  /** Whether members work in copies, which have to be prepared. */
  readonly usesCopies?: boolean;
}

/** A team to begin with: `huddle init` writes it, and `examples/` has each as a file. */
export interface Preset extends PresetOutline {
  /** Line in the list of presets. */
  readonly summary: string;
  readonly roles: readonly PresetRole[];
}

const SPENDING = { usd: 5, tokens: 2_000_000 };

const OUTLINES = {
  council: {
    roles: [
      { name: 'architect', prefers: 'claude-code', permission: 'read' },
      { name: 'engineer', prefers: 'openai-codex', permission: 'read' },
      { name: 'critic', prefers: 'google-gemini', permission: 'read' },
    ],
    fanout: 'sequential',
    limits: { agentTurns: 12, ...SPENDING },
  },
  pair: {
    roles: [
      { name: 'navigator', prefers: 'claude-code', permission: 'read' },
      { name: 'driver', prefers: 'openai-codex', permission: 'edit' },
    ],
    fanout: 'sequential',
    limits: { agentTurns: 12, pairTurns: 12, ...SPENDING },
    check: 'if-found',
  },
  review: {
    roles: [
      { name: 'author', prefers: 'claude-code', permission: 'edit' },
      { name: 'reviewer', prefers: 'openai-codex', permission: 'read' },
    ],
    fanout: 'sequential',
    limits: { agentTurns: 8, pairTurns: 8, ...SPENDING },
    check: 'if-found',
  },
  debate: {
    roles: [
      { name: 'bold', prefers: 'claude-code', permission: 'read' },
      { name: 'careful', prefers: 'openai-codex', permission: 'read' },
      { name: 'simple', prefers: 'google-gemini', permission: 'read' },
    ],
    fanout: 'blind',
    round: 'all',
    limits: { agentTurns: 9, ...SPENDING },
  },
  contest: {
    roles: [
      { name: 'judge', prefers: 'claude-code', permission: 'read' },
      { name: 'alpha', prefers: 'claude-code', permission: 'edit' },
      { name: 'beta', prefers: 'openai-codex', permission: 'edit' },
      { name: 'gamma', prefers: 'google-gemini', permission: 'edit' },
    ],
    fanout: 'blind',
    round: 'alpha, beta, gamma',
    limits: { agentTurns: 16, ...SPENDING },
    check: 'wanted',
    usesCopies: true,
  },
} as const satisfies Readonly<Record<string, PresetOutline>>;

export type PresetName = keyof typeof OUTLINES;

/** The default comes first: it is the one that changes nothing in your files. */
export const PRESET_NAMES = Object.keys(OUTLINES) as [PresetName, ...PresetName[]];

/** A preset with the texts of the chosen language. */
export function findPreset(name: PresetName): Preset {
  const { summary, roles: texts } = words.presets[name];
  const textOf: Readonly<Record<string, { readonly title: string; readonly instruction: string }>> = texts;
  const { roles, ...outline }: PresetOutline = OUTLINES[name];
  return {
    ...outline,
    summary,
    roles: roles.map((role) => ({
      ...role,
      ...(textOf[role.name] ?? { title: role.name, instruction: '' }),
    })),
  };
}
