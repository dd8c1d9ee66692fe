// Statuses of requests for which the service sends a transaction.

import { fail } from '../../core/errors/errors.ts';
import type { Activity } from '../../core/organization/records/activity.ts';
import type { Send } from '../../core/organization/records/sends.ts';
import type { OrganizationView } from '../../core/organization/state.ts';
import { oneOf } from '../../core/schema/schema.ts';
import { sendErrorView } from '../../core/sends/sends.ts';
import type { Reader } from '../reader.ts';
import { requireSend, sponsoredSend } from './require_send.ts';

export const requestStatus = () => oneOf(['PENDING', 'COMPLETED', 'FAILED']);

/** Returns a transaction of an activity of this type, with the activity. Raises `send_not_found`. */
export async function sendOfType(
  id: string,
  type: string,
  of: {
    readonly organization: OrganizationView;
    readonly read: Reader;
    readonly readParent: () => Promise<Reader | undefined>;
  },
): Promise<{ readonly send: Send; readonly activity: Activity }> {
  const { organization, read, readParent } = of;
  const send =
    (await sponsoredSend(id, organization, readParent)) ??
    (await requireSend(id, organization, read));
  const activity = await read.activity(send.activityId);
  if (activity?.type.startsWith(type) === true) return { send, activity };
  const organizationId = organization.id;
  return fail('send_not_found', { sendTransactionStatusId: id, organizationId });
}

type RequestState = {
  readonly status: 'PENDING' | 'COMPLETED' | 'FAILED';
  readonly transactionHash: string;
  /** Set after a failure. */
  readonly failed: { readonly error?: string };
};

/** Returns the state of a transaction. It has a hash from its signature on. */
export function statusOf(send: Send): RequestState {
  const { status, transactionHash } = send;
  const error = sendErrorView(send)?.message;
  if (error !== undefined || status === 'FAILED') {
    return { status: 'FAILED', transactionHash, failed: { error: error ?? '' } };
  }
  const isDone = status === 'INCLUDED';
  return { status: isDone ? 'COMPLETED' : 'PENDING', transactionHash, failed: {} };
}
