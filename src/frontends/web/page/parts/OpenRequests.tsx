import { subjectOf } from '../../../../catalogue/permissionRequests.js';
import { words } from '../../../../catalogue/words.js';
import { sanitizeToOneLine } from '../../../../utils/sanitize.js';
import { formatPlace } from '../state/place.js';
import { isHeldElsewhere, type SessionRequest, sessionRequests } from '../state/sessions.js';
import { shortId, titleOf } from './describeSession.js';

/** Everything that waits for an approval, in whichever session. It is answered there, where it is shown whole. */
export function OpenRequests() {
  const requests = sessionRequests.value;
  if (requests.length === 0) return null;
  return (
    <section class="requests" aria-label={words.web.openRequests}>
      <h2>{words.web.openRequests}</h2>
      <ul>
        {requests.map((each) => (
          <RequestRow key={`${each.session.id} ${each.request.requestId}`} {...each} />
        ))}
      </ul>
    </section>
  );
}

function RequestRow({ session, request }: SessionRequest) {
  const subject = sanitizeToOneLine(subjectOf(request));
  const isElsewhere = isHeldElsewhere({ session });
  return (
    <li>
      <p>
        <strong>{words.web.needsApproval(request.memberName)}</strong>{' '}
        <span class="soft">{`${titleOf(session)} · ${shortId(session.id)}`}</span>
      </p>
      <p class="mono subject">{subject}</p>
      {isElsewhere && session.openIn !== undefined ? (
        <span class="soft">{words.web.openIn(session.openIn)}</span>
      ) : (
        <a
          class="button"
          href={formatPlace({ conversation: session.id })}
          aria-label={words.web.viewNamed(request.memberName, subject)}
        >
          {words.web.view}
        </a>
      )}
    </li>
  );
}
