import { findAgentType } from '../models/AgentConfig.js';
import { utf8Length } from '../utils/bytes.js';
import { foldName } from '../utils/foldName.js';
import type { InstructionFiles } from './InstructionFile.js';
import { findNameFault } from './memberName.js';
import { quoteValue } from './quoteValue.js';
import { formatPointer, type TeamProblem } from './TeamProblem.js';
import type { MemberSketch, TeamSketch } from './TeamSketch.js';

interface CheckOptions {
  /** A person is expected to take part. */
  readonly interactive: boolean;
  readonly instructionFiles: InstructionFiles;
}

type TeamCheck = (team: TeamSketch, options: CheckOptions) => readonly TeamProblem[];

/** What no single field can tell. Each check stands alone and says nothing about fields that are wrong already. */
export const TEAM_CHECKS: readonly TeamCheck[] = [
  checkMembers,
  checkNames,
  checkCommands,
  checkOutputs,
  checkToolLists,
  checkFallback,
  checkInstructionFiles,
  checkSystemText,
  checkPricedModels,
];

function checkMembers(
  { members, membersAreKnown }: TeamSketch,
  { interactive }: CheckOptions,
): TeamProblem[] {
  if (!membersAreKnown) return [];
  const problem = (code: TeamProblem['code'], reason: string): TeamProblem[] => [
    { code, pointer: '/members', value: undefined, reason },
  ];
  if (members.length === 0) return problem('NO_MEMBERS', 'has nobody in it');
  if (!members.some(({ type }) => type === 'ai')) {
    return problem('NO_AGENT', 'has no agent: add a member of type "ai"');
  }
  if (interactive && !members.some(({ type }) => type === 'human')) {
    return problem('NO_HUMAN', 'has no person to talk to: add a member of type "human"');
  }
  return [];
}

/** Compared as routing compares them, so that every `[NEXT: name]` means one member. */
function checkNames({ members }: TeamSketch): TeamProblem[] {
  const firstByFold = new Map<string, MemberSketch>();
  return members.flatMap((member) => {
    const { index, name } = member;
    if (name === undefined) return [];
    const fault = findNameFault(name);
    if (fault !== undefined) return [{ ...fault, pointer: memberField(index, 'name'), value: name }];
    const first = firstByFold.get(foldName(name));
    if (first !== undefined) return [nameTaken(member, first)];
    firstByFold.set(foldName(name), member);
    return [];
  });
}

function nameTaken({ index, name }: MemberSketch, first: MemberSketch): TeamProblem {
  const reason =
    `means the same as ${quoteValue(first.name)} in /members/${first.index}: ` +
    'case, width, "-" and "_" do not tell names apart';
  return { code: 'NAME_TAKEN', pointer: memberField(index, 'name'), value: name, reason };
}

function checkCommands({ members }: TeamSketch): TeamProblem[] {
  return agentsOf(members)
    .filter(({ agentType, hasCommand }) => {
      const info = findAgentType(agentType ?? '');
      return info !== undefined && info.command === undefined && !hasCommand;
    })
    .map(({ index, agentType }) => ({
      code: 'COMMAND_MISSING',
      pointer: memberField(index, 'command'),
      value: undefined,
      reason: `is missing: agent type "${agentType}" has no program of its own`,
    }));
}

/** Every other type has an output of its own. */
function checkOutputs({ members }: TeamSketch): TeamProblem[] {
  return agentsOf(members).flatMap(({ index, agentType, output }) => {
    const info = findAgentType(agentType ?? '');
    if (output === undefined || info === undefined || info.hasOutputChoice) return [];
    const reason = `is only for agent type "command": Huddle knows what ${info.label} prints. Remove it`;
    return [{ code: 'OUTPUT_UNSUPPORTED', pointer: memberField(index, 'output'), value: output, reason }];
  });
}

/** A list that nobody keeps to would be worse than none. */
function checkToolLists({ members }: TeamSketch): TeamProblem[] {
  return agentsOf(members).flatMap(({ index, agentType, toolLists }) => {
    const info = findAgentType(agentType ?? '');
    if (info === undefined || info.hasToolLists) return [];
    return toolLists.map((list) => ({
      code: 'TOOL_LIST_UNSUPPORTED',
      pointer: memberField(index, list),
      value: undefined,
      reason: `cannot be kept to: ${info.label} takes no lists of tools. Remove it and choose a "permission"`,
    }));
  });
}

/** With one agent, the next agent in the round is itself. */
function checkFallback({ members, membersAreKnown, fallback }: TeamSketch): TeamProblem[] {
  const [agent, ...others] = agentsOf(members);
  if (!membersAreKnown || fallback !== 'round-robin' || agent === undefined || others.length > 0) return [];
  const name = agent.name ?? `member ${agent.index}`;
  const reason = `would have the only agent answer itself: ${[name, name].map(quoteValue).join(' -> ')}`;
  return [{ code: 'FALLBACK_CYCLE', pointer: '/routing/fallback', value: fallback, reason }];
}

function checkInstructionFiles({ members }: TeamSketch, { instructionFiles }: CheckOptions): TeamProblem[] {
  return agentsOf(members).flatMap(({ index, instructionFile }) => {
    if (!instructionFile) return [];
    const file = instructionFiles.get(instructionFile);
    if (file?.ok) return [];
    const { code, reason } = file ?? { code: 'INSTRUCTION_FILE_UNREADABLE', reason: 'was not read' };
    return [{ code, pointer: memberField(index, 'instructionFile'), value: instructionFile, reason }];
  });
}

/** System text is never cut, so it may take at most half of the budget. Named is the larger of its two parts. */
function checkSystemText({ members, maxBytes }: TeamSketch, options: CheckOptions): TeamProblem[] {
  const limit = Math.floor(maxBytes / 2);
  return agentsOf(members).flatMap(({ index, systemInstruction, instructionFile }) => {
    const file = options.instructionFiles.get(instructionFile ?? '');
    const ownBytes = utf8Length(systemInstruction);
    const fileBytes = file?.ok ? utf8Length(file.text) : 0;
    const bytes = ownBytes + fileBytes;
    if (bytes <= limit) return [];
    const field = ownBytes >= fileBytes ? 'systemInstruction' : 'instructionFile';
    const reason =
      `takes, with the rest of the system text, ${bytes} bytes; half of context.maxBytes is ${limit}. ` +
      'Shorten the text or raise context.maxBytes';
    return [{ code: 'SYSTEM_TEXT_TOO_LARGE', pointer: memberField(index, field), value: undefined, reason }];
  });
}

/** The one key that a record of the schema passes over in silence. */
function checkPricedModels({ pricedModels }: TeamSketch): TeamProblem[] {
  return pricedModels
    .filter((model) => model === '__proto__')
    .map((model) => ({
      code: 'UNKNOWN_FIELD',
      pointer: formatPointer(['prices', model]),
      value: model,
      reason: 'is not the name of a model',
    }));
}

/** Members whose spending a limit on money cannot see. Not an error: the limit still holds for the others. */
export function findUnpricedMembers({ members, tokens, usd, pricedModels }: TeamSketch): TeamProblem[] {
  if (usd === undefined || tokens !== undefined) return [];
  return agentsOf(members)
    .filter(({ agentType, model }) => {
      const needsPrice = findAgentType(agentType ?? '')?.reports === 'tokens';
      return needsPrice && (model === undefined || !pricedModels.includes(model));
    })
    .map(({ index, name, model }) => ({
      code: 'PRICE_UNKNOWN',
      pointer: model === undefined ? memberField(index) : memberField(index, 'model'),
      value: model ?? name,
      reason:
        'has no known price, so limits.usd cannot count it: ' +
        `${model === undefined ? 'name its "model" and ' : ''}add it to "prices", or set limits.tokens`,
    }));
}

function agentsOf(members: readonly MemberSketch[]): readonly MemberSketch[] {
  return members.filter(({ type }) => type === 'ai');
}

function memberField(index: number, ...field: readonly string[]): string {
  return formatPointer(['members', index, ...field]);
}
