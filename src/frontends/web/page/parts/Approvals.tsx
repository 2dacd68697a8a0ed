import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { describeDiff } from '../../../../catalogue/editDiffs.js';
import { describeRequest, subjectOf } from '../../../../catalogue/permissionRequests.js';
import { describeDecision } from '../../../../catalogue/tellings.js';
import type { FileDiff } from '../../../../models/AgentEvent.js';
import { sanitizeForTerminal, sanitizeToOneLine } from '../../../../utils/sanitize.js';
import { openRequests } from '../../folds.js';
import type { OpenRequest } from '../../wire.js';
import { call, RefusedRequest } from '../api.js';
import { canAct } from '../state/access.js';
import { complain } from '../state/alerts.js';
import { REQUEST_ID, speakerOf } from '../state/composing.js';
import { pageWords as words } from '../state/language.js';
import type { OpenConversation } from '../state/OpenConversation.js';
import { decidedOf, isWhole, namedPlace, type RequestPlace, settlePlace } from '../state/requests.js';
import { AnswerButton } from './AnswerButton.js';
import { PageButton } from './controls.js';
import { useFocusReturn } from './useFocus.js';
import '../styles/approval.css';

/** The open permission requests of a conversation, one at a time, the oldest first; and how the last was answered. */
export function Approvals({ conversation }: { readonly conversation: OpenConversation }) {
  const telling = conversation.telling.value;
  const requests = openRequests(telling);
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
          canDecide={canAct.value && !conversation.isReadOnly.value}
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
  const answer = describeDecision({ decision, by, person }, words);
  return (
    <p class={`answered ${decision}`}>
      <span class="mono">{sanitizeToOneLine(subjectOf(request))}</span> {answer}
    </p>
  );
}

interface ApprovalCardProps {
  readonly conversation: OpenConversation;
  readonly request: OpenRequest;
  readonly canDecide: boolean;
  readonly children?: ComponentChildren;
}

/**
 * A permission request, whole. It takes the focus only when somebody goes there; its answers come after everything they
 * are about.
 */
function ApprovalCard({ conversation, request, canDecide, children }: ApprovalCardProps) {
  const card = useFocusReturn<HTMLElement>();
  const isBusy = useSignal(false);
  const { approval } = words.web;
  const { id } = conversation;
  const { requestId, memberName, kind = '' } = request;
  const decide = async (verdict: 'allow' | 'deny') => {
    if (isBusy.value) return;
    isBusy.value = true;
    const as = speakerOf(id).value;
    try {
      await call('decide', { params: { id }, body: { requestId, verdict, as } });
    } catch (error) {
      // Somebody was faster: their answer is on its way.
      if (!(error instanceof RefusedRequest) || error.code !== 'UNKNOWN_PERMISSION_REQUEST') complain(error);
      isBusy.value = false;
    }
  };
  return (
    <section ref={card} id={REQUEST_ID} class="approval" tabIndex={-1} aria-labelledby="request-title">
      <header>
        <h2 id="request-title">
          {approval.title(memberName, approval.kinds[kind] ?? kind, approval.place(namedPlace(request)))}
        </h2>
        {children}
      </header>
      <RequestDetails request={request} />
      {!isWhole(request) && <p class="warn">{approval.notWhole}</p>}
      {canDecide && (
        <div class="button-row end">
          <AnswerButton
            kind="danger"
            label={approval.deny}
            isOff={isBusy.value}
            onClick={() => decide('deny')}
          />
          {isWhole(request) && (
            <AnswerButton
              kind="primary"
              label={approval.allow}
              isOff={isBusy.value}
              onClick={() => decide('allow')}
            />
          )}
        </div>
      )}
    </section>
  );
}

/** Everything a permission request is about, nothing cut: command, files, input, and the lines of an edit. */
function RequestDetails({ request }: { readonly request: OpenRequest }) {
  const lines = describeRequest(request, words);
  return (
    <>
      <dl class="facts">
        {groupLines(lines).map(({ label, text }) => (
          <div key={`${label} ${text}`}>
            <dt>{label}</dt>
            <dd>
              <pre>{sanitizeForTerminal(text)}</pre>
            </dd>
          </div>
        ))}
      </dl>
      {request.diffs?.map((diff) => (
        <EditedFile key={diff.path} diff={diff} />
      ))}
    </>
  );
}

function EditedFile({ diff }: { readonly diff: FileDiff }) {
  const { title, lines } = describeDiff(diff, words);
  return (
    <figure class="diff">
      <figcaption>{sanitizeForTerminal(title)}</figcaption>
      <pre>
        {lines.map(({ mark, text }, index) => (
          <span key={index} class={LINE_CLASSES[mark] ?? ''}>
            {`${mark} ${sanitizeForTerminal(text)}\n`}
          </span>
        ))}
      </pre>
    </figure>
  );
}

const LINE_CLASSES: Readonly<Record<string, string>> = { '+': 'added', '-': 'removed', '…': 'skipped' };

interface Fact {
  readonly label: string;
  readonly text: string;
}

/** Lines without a label of their own belong to the one before. */
function groupLines(lines: ReturnType<typeof describeRequest>): readonly Fact[] {
  const facts: Fact[] = [];
  for (const [label, line] of lines) {
    const last = facts.at(-1);
    if (label.trim() !== '' || last === undefined) facts.push({ label: label.trim(), text: line });
    else facts[facts.length - 1] = { ...last, text: `${last.text}\n${line}` };
  }
  return facts;
}
