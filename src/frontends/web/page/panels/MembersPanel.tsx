import { formatCount, formatSum } from '../../../../catalogue/formats.js';
import { kindAndTitleInLog, marksOf, rightsInLog } from '../../../../catalogue/members.js';
import type { ShownMember } from '../../../../presentation/Block.js';
import type { Telling } from '../../../../presentation/Telling.js';
import { sanitizeToOneLine } from '../../../../utils/sanitize.js';
import type { ShownAgent } from '../../wire.js';
import { call } from '../api.js';
import { hueOf } from '../parts/describeSession.js';
import { canAct } from '../state/access.js';
import { useNow } from '../state/clock.js';
import { addressMember } from '../state/composing.js';
import { formatPlace } from '../state/place.js';
import { describeMemberState, isAnyoneWorking, type MemberState } from './memberStates.js';
import { inConversation, type PanelProps, useAnswer } from './panelParts.js';
import { panelWords as words } from './panelWords.js';
import './panels.css';

/** The members: what each does now, how it is set up, and what it has used. */
export function MembersPanel({ conversation }: PanelProps) {
  const telling = conversation.telling.value;
  const now = useNow(isAnyoneWorking(telling));
  // A model is reported with the first turn.
  const hasBegun = Number(telling.conversation.usage.total.turns > 0);
  const { value } = useAnswer(conversation.id, hasBegun, (signal) =>
    call('members', { params: { id: conversation.id }, signal }),
  );
  const canAsk = canAct.value && !conversation.isReadOnly.value;
  const ask = ({ name }: ShownMember) =>
    inConversation(conversation.id, () => addressMember(conversation.id, name));
  return (
    <ul class="panel-content member-list">
      {telling.members.map((member) => (
        <MemberCard
          key={member.id}
          member={member}
          state={describeMemberState(telling, member, now)}
          telling={telling}
          agent={value?.agents.find(({ memberId }) => memberId === member.id)}
          whyOf={(turn) => formatPlace({ conversation: conversation.id, panel: 'why', turn })}
          onAsk={canAsk && member.type === 'ai' ? () => ask(member) : undefined}
        />
      ))}
    </ul>
  );
}

interface MemberCardProps {
  readonly member: ShownMember;
  readonly state: MemberState;
  readonly telling: Telling;
  readonly agent: ShownAgent | undefined;
  readonly whyOf: (turnId: string) => string;
  readonly onAsk: (() => void) | undefined;
}

function MemberCard({ member, state, telling, agent, whyOf, onAsk }: MemberCardProps) {
  const text = words.webPanels.members;
  const name = sanitizeToOneLine(member.name);
  return (
    <li class={`member ${hueOf(member)}`}>
      <div class="member-head">
        <h3>{name}</h3>
        <span class="member-kind">{kindAndTitleInLog(member, words).map(sanitizeToOneLine).join(' · ')}</span>
        {marksOf(member, words).map((mark) => (
          <strong key={mark} class="danger-mark">
            {mark}
          </strong>
        ))}
        {onAsk && (
          <button type="button" class="button" aria-label={text.askMember(name)} onClick={onAsk}>
            {text.ask}
          </button>
        )}
      </div>
      <p class={`member-state is-${state.kind}`}>
        {state.text}
        {state.turnId !== undefined && <a href={whyOf(state.turnId)}>{sanitizeToOneLine(state.turnId)}</a>}
      </p>
      {member.type === 'ai' && (
        <dl class="member-facts">
          {listFacts(member, telling, agent).map(([head, fact]) => (
            <div key={head}>
              <dt>{head}</dt>
              <dd>{fact}</dd>
            </div>
          ))}
        </dl>
      )}
    </li>
  );
}

/** Facts about an agent, each with its head; those that are not known are left out. */
function listFacts(
  member: ShownMember,
  { conversation }: Telling,
  agent: ShownAgent | undefined,
): readonly (readonly [head: string, fact: string])[] {
  const { heads, memories, onlyAddressed, usage, noUsage } = words.webPanels.members;
  const model = agent?.model ?? member.model;
  const rights = rightsInLog({ ...member, permission: agent?.permission ?? member.permission }, words);
  const spent = conversation.usage.members.find(({ memberId }) => memberId === member.id);
  return [
    ...(model === undefined ? [] : [[heads.model, sanitizeToOneLine(model)] as const]),
    ...(rights.length === 0 ? [] : [[heads.permission, words.joining.facts(rights)] as const]),
    ...(agent === undefined
      ? []
      : [
          [
            heads.memory,
            agent.memory === 'session' ? memories.session : memories.window(agent.window),
          ] as const,
        ]),
    ...(agent?.visibility === 'addressed' ? [[heads.sees, onlyAddressed] as const] : []),
    [
      heads.usage,
      spent === undefined
        ? noUsage
        : usage(
            spent.turns,
            words.telling.tokens(formatCount(spent.inputTokens + spent.outputTokens)),
            formatSum(spent, words) || words.telling.unpriced,
          ),
    ],
  ];
}
