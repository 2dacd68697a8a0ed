import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { baseName } from '../models/AcpAgents.js';
import type { MemberSettings } from '../models/ConversationEvent.js';
import type { AgentMember } from '../models/Team.js';

/** Describes what a member's agent can do, for the log. A default is the same, be it written in the team file or not. */
export function describeSettings(member: AgentMember): MemberSettings {
  const { model, permission, allow, deny, env, credentials = [], command, output, workspace, check } = member;
  return {
    ...(model !== undefined && { model }),
    permission,
    allow: [...allow],
    deny: [...deny],
    env,
    ...(credentials.length > 0 && { credentials: [...credentials] }),
    ...(command !== undefined && { command: describeWords(command) }),
    ...(output === 'json-lines' && { output }),
    ...(workspace === 'copy' && { workspace }),
    ...(check && { check }),
  };
}

/** Whether settings are as they were recorded last. */
export function areSameSettings(settings: MemberSettings, known: MemberSettings | undefined): boolean {
  return isDeepStrictEqual(settings, known);
}

/** Logs are exported and committed, and the words of a command may hold secrets: its program is named, the rest is a hash. */
function describeWords(command: readonly string[]): NonNullable<MemberSettings['command']> {
  const sha256 = createHash('sha256').update(JSON.stringify(command)).digest('hex');
  return { program: baseName(command[0] ?? ''), sha256 };
}
