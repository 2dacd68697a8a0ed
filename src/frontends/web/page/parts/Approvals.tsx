import { useRef, useState } from 'preact/hooks';
import { subjectOf } from '../../../../catalogue/permissionRequests.js';
import { describeDecision } from '../../../../catalogue/tellings.js';
import { words } from '../../../../catalogue/words.js';
import { sanitizeToOneLine } from '../../../../utils/sanitize.js';
import type { OpenRequest } from '../../wire.js';
import { canAct } from '../state/access.js';
import { REQUEST_ID } from '../state/composing.js';
import type { OpenConversation } from '../state/OpenConversation.js';
import { type RequestPlace, settlePlace } from '../state/requestPlace.js';
import { decidedOf, requestsOf } from '../state/requestsOf.js';
import { ApprovalCard } from './ApprovalCard.js';
import { PageButton } from './PageButton.js';
import { useFocusReturn } from './useFocusReturn.js';

/** The open permission requests of a conversation, one at a time, the oldest first; and how the last was answered. */
export function Approvals({ conversation }: { readonly conversation: OpenConversation }) {
  const telling = conversation.telling.value;
  const requests = requestsOf(telling);
  const place = useRef<RequestPlace>({ freeAt: 0 });
  const [, showAgain] = useState({});
  place.current = settlePlace(place.current, requests.map(keyOf), performance.now());
  const index = requests.findIndex((request) => keyOf(request) === place.current.shown);
  const shown = requests[index];
  const decided = decidedOf(telling).at(-1);
  const goTo = (request: OpenRequest | undefined) => {
    if (request === undefined) return;
    place.current = { shown: keyOf(request), freeAt: 0 };
    showAgain({});
  };
  const step = (by: number) => goTo(requests.at((index + by) % requests.length));
  return (
    <>
      {decided !== undefined && <Answered request={decided} />}
      {shown === undefined ? (
        requests.length > 0 && <MoreRequests count={requests.length} onView={() => goTo(requests[0])} />
      ) : (
        <ApprovalCard
          key={keyOf(shown)}
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

function keyOf({ turnId, requestId }: OpenRequest): string {
  return `${turnId} ${requestId}`;
}

interface MoreRequestsProps {
  readonly count: number;
  readonly onView: () => void;
}

/** Stands where a request was, until the person goes to the next. Its button is not where the answers were. */
function MoreRequests({ count, onView }: MoreRequestsProps) {
  const text = words.web.moreRequests(count);
  const part = useFocusReturn<HTMLElement>();
  return (
    <section ref={part} id={REQUEST_ID} class="approval more" tabIndex={-1} aria-label={text}>
      <PageButton label={words.web.view} onClick={onView} />
      <p>{text}</p>
    </section>
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
