// Determines the account of a request before it is parsed.

import { blockAround, ipBlockText, parseIpAddress } from '../../core/base/ip_address.ts';
import { organizationNamedIn } from '../../core/base/named_organization.ts';
import type { EnclaveMessages, RequestOf } from '../../ipc/messages.ts';
import type { RequestAccount } from './fair_turns.ts';

type Request = Pick<
  RequestOf<EnclaveMessages['request']>,
  'kind' | 'headers' | 'remoteAddress' | 'body'
>;

/**
 * Returns the account of a request. Strangers of a proxy share one account, separate from the users of its
 * organization, and each source pays as well. Any other request waits with the organization that it names,
 * which pays once the user is proven. The source pays for a request without a proven user.
 */
export function accountOfRequest({ kind, headers, remoteAddress, body }: Request): RequestAccount {
  const source = `source ${networkOf(remoteAddress)}`;
  if (kind !== 'proxy') return { account: organizationNamedIn(body), source, payer: 'source' };
  const configId = headers.find(({ name }) => name === 'x-auth-proxy-config-id')?.value ?? '';
  return { account: `strangers of ${nameIn(configId)}`, source, payer: 'both' };
}

/** Returns the account of work without a request. */
export function accountOfService(organizationId: string): RequestAccount {
  return { account: organizationId, source: '', payer: 'account' };
}

/** Returns the /64 of an IPv6 address, because one client usually has all of it. */
function networkOf(text: string): string {
  if (!text.includes(':')) return nameIn(text);
  const [unzoned = ''] = text.split('%');
  const address = parseIpAddress(unzoned);
  return address === undefined ? '' : ipBlockText(blockAround(address, 64));
}

/** Bounds the length of remembered names. */
const nameIn = (text: string): string => text.slice(0, 64);
