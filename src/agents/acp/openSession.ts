import { InvalidOptionError } from '../../models/errors.js';
import type { McpServer } from '../../models/McpServer.js';
import type { TurnRequest } from '../AgentAdapter.js';
import { chooseServers, folderValue } from '../dialect/Dialect.js';
import { isOutage } from '../dialect/failures.js';
import { fieldOf, textOf, toOneLine } from '../dialect/records.js';
import type { AcpConnection, OpenSession } from './AcpConnection.js';
import { AcpTurnError, isAnswer, isAuthRequired, readRequestError } from './failures.js';
import type { KnownAcpAgent } from './knownAgents.js';
import { chooseMode, chooseModel, type SettingChoice } from './sessionSettings.js';

const OFFERED_LENGTH = 300;

/** A session and how it came about. */
export interface TurnSession extends OpenSession {
  /** It is open since an earlier turn, so its settings may have changed since it was opened. */
  readonly isKept: boolean;
}

/** The session of a turn. Throws AcpTurnError, and what the agent answers in place of a result. */
export async function openSession(connection: AcpConnection, request: TurnRequest): Promise<TurnSession> {
  switch (request.session.kind) {
    case 'new':
      return startSession(connection, request);
    case 'resume':
      return continueSession(connection, request, request.session.sessionId);
    case 'fork':
      return forkSession(connection, request, request.session);
  }
}

/** Puts a session into the mode that fits the permission, and onto the model. Throws as `openSession` does. */
export async function configureSession(
  connection: AcpConnection,
  { sessionId, offers, isKept }: TurnSession,
  { permission, deny = [], model }: TurnRequest,
  known: KnownAcpAgent | undefined,
): Promise<void> {
  const mode = chooseMode(offers, known, { permission, deny, isKept });
  // With `full` it does not matter what is asked: everything is allowed.
  if (mode.kind === 'missing' && !(permission === 'full' && deny.length === 0))
    throw new AcpTurnError({ code: 'AGENT_ERROR', reason: 'no-mode', permission, offered: offeredIn(mode) });
  await applySetting(connection, sessionId, mode);
  if (isKept) return;
  const modelChoice = chooseModel(offers, model);
  if (modelChoice.kind === 'missing')
    throw new AcpTurnError({
      code: 'AGENT_ERROR',
      reason: 'no-model',
      model: model ?? '',
      offered: offeredIn(modelChoice),
    });
  await applySetting(connection, sessionId, modelChoice);
}

async function startSession(connection: AcpConnection, request: TurnRequest): Promise<TurnSession> {
  closeSessions(connection);
  const offers = await connection.request('session/new', sessionParameters(connection, request));
  const sessionId = textOf(offers, 'sessionId');
  if (sessionId === undefined) throw new AcpTurnError({ code: 'AGENT_ERROR', reason: 'no-session-id' });
  return keep(connection, { sessionId, offers, systemText: request.systemFlag });
}

/** Continues a session that is still open, or has the agent load it. */
async function continueSession(
  connection: AcpConnection,
  request: TurnRequest,
  sessionId: string,
): Promise<TurnSession> {
  const open = connection.sessions.get(sessionId);
  const isAsOpened = open?.systemText === request.systemFlag || !takesSystemText(connection);
  if (open !== undefined && isAsOpened) return { ...open, isKept: true };
  const loadMethod = findLoadMethod(connection);
  if (loadMethod === undefined) throw lostSession();
  const parameters = { ...sessionParameters(connection, request), sessionId };
  const offers = await orLost(() => connection.request(loadMethod, parameters));
  return keep(connection, { sessionId, offers, systemText: request.systemFlag });
}

/** An agent that answers with an error has lost the session, unless it only cannot answer now. */
async function orLost(open: () => Promise<unknown>): Promise<unknown> {
  try {
    return await open();
  } catch (error) {
    if (isAuthRequired(error) || !isAnswer(error) || isOutage(readRequestError(error))) throw error;
    throw lostSession({ detail: toOneLine(String(error), OFFERED_LENGTH) });
  }
}

/** Has the agent copy a session, at its end only. */
async function forkSession(
  connection: AcpConnection,
  request: TurnRequest,
  { sessionId: original, at }: Extract<TurnRequest['session'], { kind: 'fork' }>,
): Promise<TurnSession> {
  if (at !== undefined) throw new InvalidOptionError('session.at', at, 'absent for ACP');
  if (!isOffered(connection, 'fork')) throw lostSession();
  closeSessions(connection);
  const parameters = { ...sessionParameters(connection, request), sessionId: original };
  const offers = await orLost(() => connection.request('session/fork', parameters));
  const sessionId = textOf(offers, 'sessionId');
  if (sessionId === undefined || sessionId === original) throw lostSession();
  return keep(connection, { sessionId, offers, systemText: request.systemFlag });
}

function sessionParameters(connection: AcpConnection, request: TurnRequest): object {
  const { workingFolder, systemFlag, additionalFolders = [] } = request;
  const directories = additionalFolders.map(({ path }) => folderValue('additionalFolders', path));
  const parameters = {
    cwd: workingFolder,
    mcpServers: chooseServersFor(connection, request).given.map(describeServer),
    ...(directories.length > 0 &&
      isOffered(connection, 'additionalDirectories') && { additionalDirectories: directories }),
  };
  if (!systemFlag || !takesSystemText(connection)) return parameters;
  return { ...parameters, systemPrompt: { mode: 'append', content: [{ type: 'text', text: systemFlag }] } };
}

/** The MCP servers that an agent gets: every agent starts programs, and says which other transports it has. */
export function chooseServersFor(
  { initialized }: AcpConnection,
  request: TurnRequest,
): ReturnType<typeof chooseServers> {
  const offered = fieldOf(fieldOf(initialized, 'agentCapabilities'), 'mcpCapabilities');
  return chooseServers(
    request,
    ({ transport }) => transport === 'stdio' || fieldOf(offered, transport) === true,
  );
}

function describeServer(server: McpServer): object {
  const { name } = server;
  if (server.transport === 'stdio') {
    const { command, args = [], env = {} } = server;
    return { name, command, args, env: toPairs(env) };
  }
  const { transport: type, url, headers = {} } = server;
  return { type, name, url, headers: toPairs(headers) };
}

function toPairs(values: Readonly<Record<string, string>>): readonly object[] {
  return Object.entries(values).map(([name, value]) => ({ name, value }));
}

/** A new one takes the place of those before: no turn will come back to them. */
function closeSessions(connection: AcpConnection): void {
  const canClose = isOffered(connection, 'close');
  for (const sessionId of connection.sessions.keys()) {
    // Tidying up is a courtesy: an agent that cannot do it keeps the session until it is stopped.
    if (canClose) connection.request('session/close', { sessionId }).catch(() => undefined);
  }
  connection.sessions.clear();
}

function keep(connection: AcpConnection, session: OpenSession): TurnSession {
  connection.sessions.set(session.sessionId, session);
  return { ...session, isKept: false };
}

async function applySetting(
  connection: AcpConnection,
  sessionId: string,
  choice: SettingChoice,
): Promise<void> {
  if (choice.kind === 'request')
    await connection.request(choice.request.method, { sessionId, ...choice.request.params });
}

function lostSession(said: { readonly detail?: string } = {}): AcpTurnError {
  return new AcpTurnError({ code: 'SESSION_UNKNOWN', reason: 'session-unknown', ...said });
}

function offeredIn({ offered }: Extract<SettingChoice, { kind: 'missing' }>): string {
  return toOneLine(offered.join(', '), OFFERED_LENGTH);
}

/** Whether the agent takes system text separately from the prompt. */
export function takesSystemText(connection: AcpConnection): boolean {
  return isOffered(connection, 'systemPrompt');
}

function findLoadMethod(connection: AcpConnection): string | undefined {
  const capabilities = fieldOf(connection.initialized, 'agentCapabilities');
  if (fieldOf(capabilities, 'loadSession') === true) return 'session/load';
  return isOffered(connection, 'resume') ? 'session/resume' : undefined;
}

/** Whether an agent said that it can do this with sessions. Capabilities are objects, mostly empty ones. */
function isOffered({ initialized }: AcpConnection, name: string): boolean {
  const value = fieldOf(fieldOf(fieldOf(initialized, 'agentCapabilities'), 'sessionCapabilities'), name);
  return value !== undefined && value !== null && value !== false;
}
