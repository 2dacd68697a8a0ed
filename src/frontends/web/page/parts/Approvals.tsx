import { useSignal } from '@preact/signals';
import { subjectOf } from '../../../../catalogue/permissionRequests.js';
import { describeDecision } from '../../../../catalogue/tellings.js';
import { words } from '../../../../catalogue/words.js';
import { sanitizeToOneLine } from '../../../../utils/sanitize.js';
import type { OpenRequest } from '../../wire.js';
import { canAct } from '../state/access.js';
import type { OpenConversation } from '../state/OpenConversation.js';
import { decidedOf, requestsOf } from '../state/requestsOf.js';
import { ApprovalCard } from './ApprovalCard.js';

import { PageButton } from './PageButton.js';

/** The open permission requests of a conversation, one at a time, the oldest first; and how the last was answered. */
export function Approvals({ conversation }: { readonly conversation: OpenConversation }) {
  const telling = conversation.telling.value;
  const requests = requestsOf(telling);
  const chosen = useSignal<string | undefined>(undefined);
  const decided = decidedOf(telling).at(-1);
  const index = Math.max(
    0,
    requests.findIndex(({ requestId }) => requestId === chosen.value),
  );
  const shown = requests[index];
  const step = (by: number) => {
    chosen.value = requests.at((index + by) % requests.length)?.requestId;
  };
  return (
    <>
      {decided !== undefined && <Answered request={decided} />}
      {shown !== undefined && (
        <ApprovalCard
          key={`${shown.turnId} ${shown.requestId}`}
          conversation={conversation}
          request={shown}
          canDecide={canAct.value && conversation.readOnly.value === undefined}
        >
          {requests.length > 1 && (
            <span class="stepper">
              <PageButton icon="back" isBare label={words.web.previousRequest} onClick={() => step(-1)} />
              <span>{`${index + 1}/${requests.length}`}</span>
              <PageButton icon="next" isBare label={words.web.nextRequest} onClick={() => step(1)} />
            </span>
          )}
        </ApprovalCard>
      )}
    </>
  );
}

/** A request that was answered, here or elsewhere: `npm publish: allowed by kim`. */
function Answered({ request }: { readonly request: OpenRequest }) {
  const { decision, by, person } = request;
  if (decision === undefined || by === undefined) return null;
  const answer = describeDecision({ decision, by, ...(person !== undefined && { person }) });
  return (
    <p class={`answered ${decision}`}>
      <span class="mono">{sanitizeToOneLine(subjectOf(request))}</span> {answer}
    </p>
  );
}
