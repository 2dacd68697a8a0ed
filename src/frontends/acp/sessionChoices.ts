import type {
  SessionConfigOption,
  SessionModeState,
  SetSessionConfigOptionRequest,
} from '@agentclientprotocol/sdk/unstable';
import { kindAndTitle } from '../../catalogue/members.js';
import type { WordsOf } from '../../catalogue/words.js';
import type { TeamChanges } from '../../coordinator/Conversations.js';
import { namesRecipients } from '../../coordinator/prepareMessage.js';
import type { AgentMember, Routing, Team } from '../../models/Team.js';
import { invalidRequest } from './sessionRequests.js';

/** No member can have this name. */
const AUTOMATIC = '@auto';
/** The word that markers have for every agent. */
const EVERYONE = 'all';

/** The option that clients also have as modes. */
export const MODE = 'mode';

const MODES = ['team', 'read'] as const;
const FANOUTS: readonly Routing['fanout'][] = ['sequential', 'same-question', 'blind'];

/** The choices of a session that a person makes in the client. */
export interface SessionChoices extends Pick<TeamChanges, 'permission' | 'fanout'> {
  /** Recipient of prompts that name none; absent: as the team does it. */
  readonly ask?: string | undefined;
}

type OptionId = 'ask' | 'mode' | 'fanout';

type ChoiceWords = WordsOf<'acp' | 'joining' | 'telling'>;

/** The choices as clients list them. */
export function describeChoices(
  team: Team,
  choices: SessionChoices,
  words: ChoiceWords,
): SessionConfigOption[] {
  const { ask, mode, fanout } = words.acp.options;
  return [
    {
      ...describeSelect('ask', ask, recipientOf(team, choices) ?? AUTOMATIC),
      category: 'model',
      options: [
        { value: AUTOMATIC, ...ask.automatic },
        { value: EVERYONE, ...ask.everyone },
        ...agentsOf(team).map((agent) => ({
          value: agent.name,
          name: agent.name,
          description: words.joining.facts(kindAndTitle(agent, words)),
        })),
      ],
    },
    {
      ...describeSelect(MODE, mode, choices.permission ?? 'team'),
      category: 'mode',
      options: MODES.map((value) => ({ value, ...mode.values[value] })),
    },
    {
      ...describeSelect('fanout', fanout, choices.fanout ?? team.routing.fanout),
      category: '_huddle_fanout',
      options: FANOUTS.map((value) => ({ value, ...fanout.values[value] })),
    },
  ];
}

/** The option `mode`, for clients that know modes only. */
export function describeModes({ permission = 'team' }: SessionChoices, words: ChoiceWords): SessionModeState {
  const { values } = words.acp.options.mode;
  return { currentModeId: permission, availableModes: MODES.map((id) => ({ id, ...values[id] })) };
}

/** The choices with another value for one of them. Throws if a client cannot have been offered it. */
export function changeChoice(
  team: Team,
  choices: SessionChoices,
  { configId: id, value }: Pick<SetSessionConfigOptionRequest, 'configId' | 'value'>,
  words: ChoiceWords,
): SessionChoices {
  const option = describeChoices(team, choices, words).find((each) => each.id === id);
  const { unknownOption, unknownValue } = words.acp;
  if (option?.type !== 'select') throw invalidRequest(unknownOption(id, OPTION_IDS));
  const values = option.options.flatMap((each) => ('value' in each ? each.value : []));
  const chosen = values.find((each) => each === value);
  if (chosen === undefined) throw invalidRequest(unknownValue(String(value), id, values));
  return { ...choices, ...CHANGES[option.id as OptionId](chosen) };
}

/** Their values were compared with those on offer. */
const CHANGES: Readonly<Record<OptionId, (value: string) => SessionChoices>> = {
  ask: (value) => ({ ask: value === AUTOMATIC ? undefined : value }),
  mode: (value) => ({ permission: value as (typeof MODES)[number] }),
  fanout: (value) => ({ fanout: value as Routing['fanout'] }),
};
const OPTION_IDS = Object.keys(CHANGES);

/** A message, with the chosen recipient if it names none: on a line of its own, since code may begin the first. */
export function addRecipient(message: string, team: Team, choices: SessionChoices, as?: string): string {
  const recipient = recipientOf(team, choices);
  return recipient === undefined || namesRecipients(message, team, as)
    ? message
    : `[NEXT: ${recipient}]\n${message}`;
}

/** The chosen recipient, unless it has left the team since. */
function recipientOf(team: Team, { ask }: SessionChoices): string | undefined {
  return ask === EVERYONE || agentsOf(team).some(({ name }) => name === ask) ? ask : undefined;
}

function describeSelect(
  id: OptionId,
  { name, description }: { readonly name: string; readonly description: string },
  currentValue: string,
) {
  return { id, type: 'select' as const, name, description, currentValue };
}

function agentsOf({ members }: Team): readonly AgentMember[] {
  return members.filter((member) => member.type === 'ai').filter(({ check }) => !check);
}
