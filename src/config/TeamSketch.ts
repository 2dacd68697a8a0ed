import { normalizeAgentType } from '../models/AgentConfig.js';
import { DEFAULT_MAX_BYTES, MAX_MEMBERS, MIN_MAX_BYTES } from './teamSchema.js';

/**
 * What can be made out of a team file, right or wrong: checks across fields work on this,
 * so that a fault in one field hides no other.
 */
export interface TeamSketch {
  readonly members: readonly MemberSketch[];
  /** There is a list of members and each is a human or an agent. */
  readonly membersAreKnown: boolean;
  readonly fallback?: string;
  readonly maxBytes: number;
  readonly tokens?: number;
  readonly usd?: number;
  readonly pricedModels: readonly string[];
}

export interface MemberSketch {
  readonly index: number;
  readonly type?: 'human' | 'ai';
  readonly name?: string;
  readonly agentType?: string;
  readonly hasCommand: boolean;
  readonly output?: string;
  /** The lists of tools that are not empty. */
  readonly toolLists: ReadonlyArray<'allow' | 'deny'>;
  readonly systemInstruction: string;
  readonly instructionFile?: string;
  readonly model?: string;
}

export function sketchTeam(file: unknown): TeamSketch {
  const team = fields(file);
  const list = Array.isArray(team.members) ? team.members : undefined;
  const members = (list ?? []).slice(0, MAX_MEMBERS).map(sketchMember);
  const limits = fields(team.limits);
  return {
    members,
    membersAreKnown: list !== undefined && members.every(({ type }) => type !== undefined),
    fallback: textOrNothing(fields(team.routing).fallback),
    maxBytes: maxBytesOf(fields(team.context).maxBytes),
    tokens: numberOrNothing(limits.tokens),
    usd: numberOrNothing(limits.usd),
    pricedModels: Object.keys(fields(team.prices)),
  };
}

function sketchMember(value: unknown, index: number): MemberSketch {
  const member = fields(value);
  const agentType = textOrNothing(member.agentType);
  return {
    index,
    type: member.type === 'human' || member.type === 'ai' ? member.type : undefined,
    name: textOrNothing(member.name)?.normalize('NFC'),
    agentType: agentType === undefined ? undefined : normalizeAgentType(agentType),
    hasCommand: member.command !== undefined,
    output: textOrNothing(member.output),
    toolLists: (['allow', 'deny'] as const).filter((list) => isFilledList(member[list])),
    systemInstruction: joinInstruction(member.systemInstruction),
    instructionFile: textOrNothing(member.instructionFile),
    model: textOrNothing(member.model),
  };
}

/** Text, or a list of lines. */
export function joinInstruction(instruction: unknown): string {
  const lines: readonly unknown[] = Array.isArray(instruction) ? instruction : [instruction];
  return lines.filter((line) => typeof line === 'string').join('\n');
}

function isFilledList(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0;
}

function maxBytesOf(value: unknown): number {
  return typeof value === 'number' && value >= MIN_MAX_BYTES ? value : DEFAULT_MAX_BYTES;
}

/** The own fields of an object, and none of anything else. */
function fields(value: unknown): Readonly<Record<string, unknown>> {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return Object.assign(Object.create(null), isObject ? value : {});
}

function textOrNothing(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function numberOrNothing(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}
