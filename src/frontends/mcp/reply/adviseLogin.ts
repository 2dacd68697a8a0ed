import { words } from '../../../catalogue/words.js';
import type { Block } from '../../../presentation/Block.js';

/** Clients that start servers with few variables, by the beginning of their names. */
const SPARING = {
  'codex-mcp-client': 'codex',
  'gemini-cli-mcp-client': 'gemini',
} as const;

/** Tells how keys reach members, if one had none and the client passes on few variables. */
export function adviseLogin(blocks: readonly Block[], client: string): readonly string[] {
  const [, sparing] = Object.entries(SPARING).find(([name]) => client.startsWith(name)) ?? [];
  if (sparing === undefined) return [];
  const failures = blocks.flatMap((block) =>
    block.kind === 'turn' && block.turn.result.kind === 'failed' ? [block.turn.result.failure] : [],
  );
  const refused = failures.filter((failure) => failure.reason === 'login-needed');
  if (refused.length === 0) return [];
  const variables = new Set(refused.flatMap(({ login }) => login?.variables ?? []));
  return [words.mcp.fewVariables[sparing]([...variables])];
}
