import type { AvailableCommand } from '@agentclientprotocol/sdk/unstable';

export function describeCommands(): AvailableCommand[] {
  return [];
}
