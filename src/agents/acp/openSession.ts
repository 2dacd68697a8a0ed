import { InvalidOptionError } from '../../models/errors.js';
import type { FailureFacts } from '../../models/TurnOutcome.js';
import type { TurnRequest } from '../AgentAdapter.js';
import { isOutage } from '../dialect/failures.js';
import { fieldOf, textOf } from '../dialect/records.js';
import { toOneLine } from '../dialect/summarizeValue.js';
import type { AcpAgent, OpenSession } from './AcpAgent.js';
import { isAnswer, isAuthRequired, readRequestError } from './failures.js';
import type { KnownAcpAgent } from './knownAgents.js';
import { chooseMode, chooseModel, type SettingChoice } from './sessionSettings.js';

const OFFERED_LENGTH = 300;

/** A turn cannot begin, for a reason that people can do something about. */
export class AcpTurnError extends Error {
  readonly failure: FailureFacts;

  constructor(failure: FailureFacts) {
    super(failure.reason);
    this.failure = failure;
  }
}

/** What the agent said it can do. */
export interface AcpCapabilities {
  readonly takesSystemText: boolean;
  readonly loadMethod: 'session/load' | 'session/resume' | undefined;
  readonly canClose: boolean;
}

export function readCapabilities(initialized: unknown): AcpCapabilities {
  const capabilities = fieldOf(initialized, 'agentCapabilities');
  const session = fieldOf(capabilities, 'sessionCapabilities');
  const canResume = isOffered(fieldOf(session, 'resume'));
  return {
    takesSystemText: isOffered(fieldOf(session, 'systemPrompt')),
    loadMethod:
      fieldOf(capabilities, 'loadSession') === true
        ? 'session/load'
        : canResume
          ? 'session/resume'
          : undefined,
    canClose: isOffered(fieldOf(session, 'close')),
  };
}

/** A session and how it came about. */
export interface TurnSession extends OpenSession {
  /** Nothing was said in it yet. */
  readonly isNew: boolean;
  /** It is open since an earlier turn, so its settings may have changed since it was opened. */
  readonly isKept: boolean;
}

/** The session of a turn. Throws AcpTurnError, and what the agent answers in place of a result. */
export async function openSession(
  agent: AcpAgent,
  capabilities: AcpCapabilities,
  request: TurnRequest,
): Promise<TurnSession> {
  switch (request.session.kind) {
    case 'new':
      return startSession(agent, capabilities, request);
    case 'resume':
      return continueSession(agent, capabilities, request, request.session.sessionId);
    case 'fork':
      throw new InvalidOptionError('session.kind', 'fork', '"new" or "resume" for an ACP agent');
  }
}

/** Puts a session into the mode that fits the permission, and onto the model. Throws as `openSession` does. */
export async function configureSession(
  agent: AcpAgent,
  { sessionId, offers, isKept }: TurnSession,
  { permission, deny = [], model }: TurnRequest,
  known: KnownAcpAgent | undefined,
): Promise<void> {
  const mode = chooseMode(offers, known, { permission, deny, isKept });
  // With `full` it does not matter what is asked: everything is allowed.
  if (mode.kind === 'missing' && !(permission === 'full' && deny.length === 0))
    throw new AcpTurnError({ code: 'AGENT_ERROR', reason: 'no-mode', permission, offered: offeredIn(mode) });
  await applySetting(agent, sessionId, mode);
  if (isKept) return;
  const modelChoice = chooseModel(offers, model);
  if (modelChoice.kind === 'missing')
    throw new AcpTurnError({
      code: 'AGENT_ERROR',
      reason: 'no-model',
      model: model ?? '',
      offered: offeredIn(modelChoice),
    });
  await applySetting(agent, sessionId, modelChoice);
}

async function startSession(
  agent: AcpAgent,
  capabilities: AcpCapabilities,
  request: TurnRequest,
): Promise<TurnSession> {
  closeSessions(agent, capabilities);
  const offers = await agent.request('session/new', sessionParameters(capabilities, request));
  const sessionId = textOf(offers, 'sessionId');
  if (sessionId === undefined) throw new AcpTurnError({ code: 'AGENT_ERROR', reason: 'no-session-id' });
  const session = keep(agent, { sessionId, offers, systemText: request.systemFlag });
  return { ...session, isNew: true, isKept: false };
}

/** One that is open already, or one that the agent finds again. */
async function continueSession(
  agent: AcpAgent,
  capabilities: AcpCapabilities,
  request: TurnRequest,
  sessionId: string,
): Promise<TurnSession> {
  const open = agent.sessions.get(sessionId);
  if (open !== undefined && open.systemText === request.systemFlag)
    return { ...open, isNew: false, isKept: true };
  if (capabilities.loadMethod === undefined) throw lostSession();
  const parameters = { ...sessionParameters(capabilities, request), sessionId };
  try {
    const offers = await agent.request(capabilities.loadMethod, parameters);
    const session = keep(agent, { sessionId, offers, systemText: request.systemFlag });
    return { ...session, isNew: false, isKept: false };
  } catch (error) {
    if (isAuthRequired(error) || !isAnswer(error) || isOutage(readRequestError(error))) throw error;
    throw lostSession({ detail: toOneLine(String(error), OFFERED_LENGTH) });
  }
}

function sessionParameters({ takesSystemText }: AcpCapabilities, request: TurnRequest): object {
  const { workingFolder, systemFlag } = request;
  const parameters = { cwd: workingFolder, mcpServers: [] };
  if (!takesSystemText || !systemFlag) return parameters;
  return { ...parameters, systemPrompt: { mode: 'append', content: [{ type: 'text', text: systemFlag }] } };
}

/** A new one takes the place of those before: nobody will come back to them. */
function closeSessions(agent: AcpAgent, { canClose }: AcpCapabilities): void {
  for (const sessionId of agent.sessions.keys()) {
    // Tidying up is a courtesy: an agent that cannot do it keeps the session until it is stopped.
    if (canClose) agent.request('session/close', { sessionId }).catch(() => undefined);
  }
  agent.sessions.clear();
}

function keep(agent: AcpAgent, session: OpenSession): OpenSession {
  agent.sessions.set(session.sessionId, session);
  return session;
}

async function applySetting(agent: AcpAgent, sessionId: string, choice: SettingChoice): Promise<void> {
  if (choice.kind === 'request')
    await agent.request(choice.request.method, { sessionId, ...choice.request.params });
}

function lostSession(said: { readonly detail?: string } = {}): AcpTurnError {
  return new AcpTurnError({ code: 'SESSION_UNKNOWN', reason: 'session-unknown', ...said });
}

function offeredIn({ offered }: Extract<SettingChoice, { kind: 'missing' }>): string {
  return toOneLine(offered.join(', '), OFFERED_LENGTH);
}

/** Capabilities are objects, mostly empty ones. */
function isOffered(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false;
}
