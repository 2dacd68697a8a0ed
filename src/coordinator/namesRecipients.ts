import { parseMessage } from '../markers/parseMessage.js';
import type { Team } from '../models/Team.js';
import { requireHuman } from '../routing/teamMembers.js';
import { namesToCall } from './prepareMessage.js';

/** Whether a person's message names who is to reply, be it someone who is not there. */
export function namesRecipients(content: string, team: Team, as?: string): boolean {
  const names = namesToCall(team, requireHuman(team, as));
  return parseMessage(content, 'human', names).addressees.length > 0;
}
