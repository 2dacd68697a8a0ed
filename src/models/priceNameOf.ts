import { findAgentType, normalizeAgentType } from './AgentConfig.js';

/** The facts about a member that its price depends on. */
interface Priced {
  readonly agentType?: string;
  readonly model?: string;
}

/**
 * The name under which `prices` has what a member uses: its model, or for a CLI that chooses one itself the CLI's short
 * name, such as `codex`. Undefined for other programs, of which anything may be behind the name.
 */
export function priceNameOf({ agentType = '', model }: Priced): string | undefined {
  if (model !== undefined) return model;
  const info = findAgentType(normalizeAgentType(agentType));
  return info?.command && (info.aliases[0] ?? info.type);
}

/** Whether a member reports tokens only, so that its cost is known only with a price. */
export function needsPrice({ agentType = '' }: Priced): boolean {
  return findAgentType(normalizeAgentType(agentType))?.reports === 'tokens';
}

/** Whether the cost of a member is known only with a price, and there is none. */
export function lacksPrice(member: Priced, prices: ReadonlyArray<{ readonly model: string }>): boolean {
  const name = priceNameOf(member);
  return needsPrice(member) && !prices.some(({ model }) => model === name);
}
