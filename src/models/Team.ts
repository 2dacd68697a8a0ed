import type { AgentType } from './AgentConfig.js';
import type { MemberId } from './ids.js';

/** What an agent may do: look, change files in the working folder, or everything. */
export type Permission = 'read' | 'edit' | 'full';

/** `window`: each turn carries the last messages. `session`: the agent's own session is resumed. */
export type Memory = 'window' | 'session';

interface MemberBase {
  readonly id: MemberId;
  readonly name: string;
  readonly title?: string;
}

export interface HumanMember extends MemberBase {
  readonly type: 'human';
}

export interface AgentMember extends MemberBase {
  readonly type: 'ai';
  /** Normalised, see `AgentConfig.ts`. */
  readonly agentType: AgentType;
  /** Program and first arguments, where they differ from the agent type's own. */
  readonly command?: readonly string[];
  /** Text from the team file. Sent together with the text of the instruction file, never in place of it. */
  readonly systemInstruction?: string;
  readonly instructionFileText?: string;
  readonly model?: string;
  readonly permission: Permission;
  readonly memory: Memory;
  readonly window: number;
  /** `inherit`: the user's environment less other vendors' credentials; `minimal`: a short allow-list. */
  readonly env: 'inherit' | 'minimal';
}

export type Member = HumanMember | AgentMember;

export interface Team {
  readonly name: string;
  readonly task?: string;
  readonly members: readonly Member[];
}
