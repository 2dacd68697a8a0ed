import { InvalidOptionError } from '../../models/errors.js';
import type { McpServer } from '../../models/McpServer.js';
import type { Permission } from '../../models/Team.js';
import type { TurnRequest } from '../AgentAdapter.js';
import { chooseServers, folderValue } from '../dialect/Dialect.js';
import { isOutage } from '../dialect/failures.js';
import { fieldOf, listOf, textOf, toOneLine } from '../dialect/records.js';
import { LiveTurnError } from '../live/LiveConnection.js';
import { isAnswer, isAuthRequired, readRequestError } from './failures.js';
import type { KnownAcpAgent } from './knownAgents.js';

const OFFERED_LENGTH = 300;

/** A session that is open in a running agent. */
export interface OpenSession {
  readonly sessionId: string;
  /** The agent's description of it when it was opened: modes, models, options. */
  readonly offers: unknown;
  /** The system text it was opened with. */
  readonly systemText: string | undefined;
}

/** An agent, as far as it opens sessions. */
export interface SessionAgent {
  /** Sessions that a turn can continue. */
  readonly sessions: Map<string, OpenSession>;
  /** The agent's answer to `initialize`. */
  readonly initialized: unknown;
  /** Rejects with what the agent answered in place of a result, or when it is gone. */
  request(method: string, params: object): Promise<unknown>;
}

/** A session and how it came about. */
export interface TurnSession extends OpenSession {
  /** It is open since an earlier turn, so its settings may have changed since it was opened. */
  readonly isKept: boolean;
}

/** The session of a turn. Throws LiveTurnError, and what the agent answers in place of a result. */
export async function openSession(agent: SessionAgent, request: TurnRequest): Promise<TurnSession> {
  switch (request.session.kind) {
    case 'new':
      return startSession(agent, request);
    case 'resume':
      return continueSession(agent, request, request.session.sessionId);
    case 'fork':
      return forkSession(agent, request, request.session);
  }
}

/** Puts a session into the mode that fits the permission, and onto the model. Throws as `openSession` does. */
export async function configureSession(
  agent: SessionAgent,
  { sessionId, offers, isKept }: TurnSession,
  { permission, deny = [], model }: TurnRequest,
  known: KnownAcpAgent | undefined,
): Promise<void> {
  const mode = chooseMode(offers, known, { permission, deny, isKept });
  // With `full` it does not matter what is asked: everything is allowed.
  if (mode.kind === 'missing' && !(permission === 'full' && deny.length === 0))
    throw new LiveTurnError({ code: 'AGENT_ERROR', reason: 'no-mode', permission, offered: offeredIn(mode) });
  await applySetting(agent, sessionId, mode);
  if (isKept) return;
  const modelChoice = chooseModel(offers, model);
  if (modelChoice.kind === 'missing')
    throw new LiveTurnError({
      code: 'AGENT_ERROR',
      reason: 'no-model',
      model: model ?? '',
      offered: offeredIn(modelChoice),
    });
  await applySetting(agent, sessionId, modelChoice);
}

async function startSession(agent: SessionAgent, request: TurnRequest): Promise<TurnSession> {
  closeSessions(agent);
  const offers = await agent.request('session/new', sessionParameters(agent, request));
  const sessionId = textOf(offers, 'sessionId');
  if (sessionId === undefined) throw new LiveTurnError({ code: 'AGENT_ERROR', reason: 'no-session-id' });
  return keep(agent, { sessionId, offers, systemText: request.systemFlag });
}

/** Continues a session that is still open, or has the agent load it. */
async function continueSession(
  agent: SessionAgent,
  request: TurnRequest,
  sessionId: string,
): Promise<TurnSession> {
  const open = agent.sessions.get(sessionId);
  const isAsOpened = open?.systemText === request.systemFlag || !takesSystemText(agent);
  if (open !== undefined && isAsOpened) return { ...open, isKept: true };
  const loadMethod = findLoadMethod(agent);
  if (loadMethod === undefined) throw lostSession();
  const parameters = { ...sessionParameters(agent, request), sessionId };
  const offers = await orLost(() => agent.request(loadMethod, parameters));
  return keep(agent, { sessionId, offers, systemText: request.systemFlag });
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
  agent: SessionAgent,
  request: TurnRequest,
  { sessionId: original, at }: Extract<TurnRequest['session'], { kind: 'fork' }>,
): Promise<TurnSession> {
  if (at !== undefined) throw new InvalidOptionError('session.at', at, 'absent for ACP');
  if (!isOffered(agent, 'fork')) throw lostSession();
  closeSessions(agent);
  const parameters = { ...sessionParameters(agent, request), sessionId: original };
  const offers = await orLost(() => agent.request('session/fork', parameters));
  const sessionId = textOf(offers, 'sessionId');
  if (sessionId === undefined || sessionId === original) throw lostSession();
  return keep(agent, { sessionId, offers, systemText: request.systemFlag });
}

function sessionParameters(agent: SessionAgent, request: TurnRequest): object {
  const { workingFolder, systemFlag, additionalFolders = [] } = request;
  const directories = additionalFolders.map(({ path }) => folderValue('additionalFolders', path));
  const parameters = {
    cwd: workingFolder,
    mcpServers: chooseServersFor(agent, request).given.map(describeServer),
    ...(directories.length > 0 &&
      isOffered(agent, 'additionalDirectories') && { additionalDirectories: directories }),
  };
  if (!systemFlag || !takesSystemText(agent)) return parameters;
  return { ...parameters, systemPrompt: { mode: 'append', content: [{ type: 'text', text: systemFlag }] } };
}

/** The MCP servers that an agent gets: every agent starts programs, and says which other transports it has. */
export function chooseServersFor(
  { initialized }: Pick<SessionAgent, 'initialized'>,
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
function closeSessions(agent: SessionAgent): void {
  const canClose = isOffered(agent, 'close');
  for (const sessionId of agent.sessions.keys()) {
    // Tidying up is a courtesy: an agent that cannot do it keeps the session until it is stopped.
    if (canClose) agent.request('session/close', { sessionId }).catch(() => undefined);
  }
  agent.sessions.clear();
}

function keep(agent: SessionAgent, session: OpenSession): TurnSession {
  agent.sessions.set(session.sessionId, session);
  return { ...session, isKept: false };
}

async function applySetting(agent: SessionAgent, sessionId: string, choice: SettingChoice): Promise<void> {
  if (choice.kind === 'request')
    await agent.request(choice.request.method, { sessionId, ...choice.request.params });
}

function lostSession(said: { readonly detail?: string } = {}): LiveTurnError {
  return new LiveTurnError({ code: 'SESSION_UNKNOWN', reason: 'session-unknown', ...said });
}

function offeredIn({ offered }: Extract<SettingChoice, { kind: 'missing' }>): string {
  return toOneLine(offered.join(', '), OFFERED_LENGTH);
}

/** Whether the agent takes system text separately from the prompt. */
export function takesSystemText(agent: SessionAgent): boolean {
  return isOffered(agent, 'systemPrompt');
}

function findLoadMethod(agent: SessionAgent): string | undefined {
  const capabilities = fieldOf(agent.initialized, 'agentCapabilities');
  if (fieldOf(capabilities, 'loadSession') === true) return 'session/load';
  return isOffered(agent, 'resume') ? 'session/resume' : undefined;
}

/** Whether an agent said that it can do this with sessions. Capabilities are objects, mostly empty ones. */
function isOffered({ initialized }: Pick<SessionAgent, 'initialized'>, name: string): boolean {
  const value = fieldOf(fieldOf(fieldOf(initialized, 'agentCapabilities'), 'sessionCapabilities'), name);
  return value !== undefined && value !== null && value !== false;
}

/** A request that changes one setting of a session. */
interface SettingRequest {
  readonly method: string;
  readonly params: Readonly<Record<string, string>>;
}

type SettingChoice =
  | { readonly kind: 'request'; readonly request: SettingRequest }
  /** It is set already, or the choice is left to the agent. */
  | { readonly kind: 'keep' }
  /** The wanted value is not offered. */
  | { readonly kind: 'missing'; readonly offered: readonly string[] };

/** A setting of a session: its values, and the request that chooses one. */
interface Setting {
  readonly current: string | undefined;
  readonly offered: readonly string[];
  choose(value: string): SettingRequest;
}

interface WantedMode {
  readonly permission: Permission;
  readonly deny: readonly string[];
  /** The session was open in between: the agent may have changed its mode by itself. */
  readonly isKept?: boolean;
}

/** The mode in which an agent runs: the one that fits the permission, or one that asks, so that a deny list can hold. */
export function chooseMode(
  session: unknown,
  agent: KnownAcpAgent | undefined,
  { permission, deny, isKept = false }: WantedMode,
): SettingChoice {
  const wanted = (deny.length > 0 ? agent?.askingModes : agent?.modes[permission]) ?? [];
  const settings = [modeSetting(session), configSetting(session, 'mode')];
  return choose(isKept ? settings.map((setting) => ({ ...setting, current: undefined })) : settings, wanted);
}

/** The model of a member, where the agent lets it be chosen. */
export function chooseModel(session: unknown, model: string | undefined): SettingChoice {
  if (model === undefined) return { kind: 'keep' };
  return choose([configSetting(session, 'model'), modelSetting(session)], [model]);
}

function choose(settings: readonly Setting[], wanted: readonly string[]): SettingChoice {
  if (wanted.length === 0) return { kind: 'keep' };
  for (const setting of settings) {
    const value = wanted.find((candidate) => setting.offered.includes(candidate));
    if (value === undefined) continue;
    return value === setting.current ? { kind: 'keep' } : { kind: 'request', request: setting.choose(value) };
  }
  return { kind: 'missing', offered: [...new Set(settings.flatMap(({ offered }) => offered))] };
}

function modeSetting(session: unknown): Setting {
  const modes = fieldOf(session, 'modes');
  return {
    current: textOf(modes, 'currentModeId'),
    offered: idsIn(modes, 'availableModes', 'id'),
    choose: (modeId) => ({ method: 'session/set_mode', params: { modeId } }),
  };
}

/** Agents offer this alongside or instead of the newer config options; the protocol calls it unstable. */
function modelSetting(session: unknown): Setting {
  const models = fieldOf(session, 'models');
  return {
    current: textOf(models, 'currentModelId'),
    offered: idsIn(models, 'availableModels', 'modelId'),
    choose: (modelId) => ({ method: 'session/set_model', params: { modelId } }),
  };
}

function configSetting(session: unknown, category: string): Setting {
  const option = listOf(session, 'configOptions').find((each) => textOf(each, 'category') === category);
  const configId = textOf(option, 'id');
  // Options may stand in groups.
  const values = listOf(option, 'options').flatMap(
    (each) => textOf(each, 'value') ?? idsIn(each, 'options', 'value'),
  );
  return {
    current: textOf(option, 'currentValue'),
    offered: configId === undefined ? [] : values,
    choose: (value) => ({
      method: 'session/set_config_option',
      params: { configId: configId ?? '', value },
    }),
  };
}

function idsIn(holder: unknown, list: string, field: string): readonly string[] {
  return listOf(holder, list).flatMap((each) => textOf(each, field) ?? []);
}
