import type { Permission } from '../../models/Team.js';
import { fieldOf, listOf, textOf } from '../dialect/records.js';
import type { KnownAcpAgent } from './knownAgents.js';

/** A request that changes one setting of a session. */
export interface SettingRequest {
  readonly method: string;
  readonly params: Readonly<Record<string, string>>;
}

export type SettingChoice =
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

export interface ModeWish {
  readonly permission: Permission;
  readonly deny: readonly string[];
  /** The session was open in between: the agent may have changed its mode by itself. */
  readonly isKept?: boolean;
}

/** The mode in which an agent runs: the one that fits the permission, or one that asks, so that a deny list can hold. */
export function chooseMode(
  session: unknown,
  agent: KnownAcpAgent | undefined,
  { permission, deny, isKept = false }: ModeWish,
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
