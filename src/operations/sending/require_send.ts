import { fail } from '../../core/errors/errors.ts';
import type { Send } from '../../core/organization/records/sends.ts';
import type { OrganizationView } from '../../core/organization/state.ts';
import type { Reader } from '../reader.ts';

/** Returns a transaction of the organization. Raises `send_not_found`. */
export async function requireSend(
  id: string,
  organization: OrganizationView,
  read: Reader,
): Promise<Send> {
  const sendTransactionStatusId = id.toLowerCase();
  const found = (await read.sends([sendTransactionStatusId])).get(sendTransactionStatusId);
  return (
    found ?? fail('send_not_found', { sendTransactionStatusId, organizationId: organization.id })
  );
}

/** Returns a transaction of the organization that its parent sponsors and stores. */
export async function sponsoredSend(
  id: string,
  { id: organizationId }: OrganizationView,
  readParent: () => Promise<Reader | undefined>,
): Promise<Send | undefined> {
  const sendId = id.toLowerCase();
  const send = (await (await readParent())?.sends([sendId]))?.get(sendId);
  return send?.origin?.organizationId === organizationId ? send : undefined;
}
