import type { RequestPermissionResponse } from '@agentclientprotocol/sdk/unstable';
import type { PermissionAnswer } from '../AgentAdapter.js';
import { textOf } from '../dialect/records.js';

/**
 * An answer in the terms of the options that the agent offered. Permission is only ever given for this once; where that
 * is not offered there is none.
 */
export function answerWith(answer: PermissionAnswer, options: readonly unknown[]): RequestPermissionResponse {
  const optionId = OPTION_KINDS[answer].map((kind) => optionOf(kind, options)).find((id) => id !== undefined);
  return { outcome: optionId === undefined ? { outcome: 'cancelled' } : { outcome: 'selected', optionId } };
}

const OPTION_KINDS: Readonly<Record<PermissionAnswer, readonly string[]>> = {
  allow: ['allow_once', 'reject_once'],
  deny: ['reject_once', 'reject_always'],
  cancelled: [],
};

function optionOf(kind: string, options: readonly unknown[]): string | undefined {
  return textOf(
    options.find((option) => textOf(option, 'kind') === kind),
    'optionId',
  );
}
