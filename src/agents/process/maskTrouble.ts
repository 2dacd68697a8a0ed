import type { AgentEvent } from '../../models/AgentEvent.js';
import { redactSecrets, secretValues } from '../../utils/redact.js';
import type { TurnIdentity } from './judgeTurn.js';

/** Masks secrets in what an agent reports of trouble that did not end its turn; any other event stays as it is. */
export function maskTrouble<Event extends AgentEvent>(event: Event, identity: TurnIdentity): Event {
  if (event.type !== 'error' && event.type !== 'retry') return event;
  const secrets = [...secretValues(identity.environment), ...(identity.secrets ?? [])];
  return { ...event, message: redactSecrets(event.message, secrets) };
}
