import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { words } from '../../../../catalogue/words.js';
import type { OpenRequest } from '../../wire.js';
import { call, RefusedRequest } from '../api.js';
import { complain } from '../state/alerts.js';
import { REQUEST_ID } from '../state/composing.js';
import type { OpenConversation } from '../state/OpenConversation.js';
import { isWhole, namedPlace } from '../state/requestsOf.js';
import { speakerOf } from '../state/speaker.js';
import { AnswerButton } from './AnswerButton.js';
import { RequestDetails } from './RequestDetails.js';
import { useFocusReturn } from './useFocusReturn.js';
import '../styles/approval.css';

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
export function ApprovalCard({ conversation, request, canDecide, children }: ApprovalCardProps) {
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
      await call('decide', { params: { id }, body: { requestId, verdict, ...(as !== undefined && { as }) } });
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
