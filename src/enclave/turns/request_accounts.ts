// On whose account a request begins, before anybody has looked into it.

import { blockAround, ipBlockText, parseIpAddress } from '../../core/base/ip_address.ts';
import type { EnclaveMessages, RequestOf } from '../../ipc/messages.ts';
import type { RequestAccount } from './fair_turns.ts';

type Request = Pick<
  RequestOf<EnclaveMessages['request']>,
  'kind' | 'headers' | 'remoteAddress' | 'body'
>;

/**
 * Strangers of a proxy are one account, apart from the users of its organization, and each source among
 * them pays beside it. Any other request waits with those of the organization that it names, which pays
 * from when its user is proven; what proves nobody is paid by its source.
 */
export function accountOfRequest({ kind, headers, remoteAddress, body }: Request): RequestAccount {
  const source = `source ${networkOf(remoteAddress)}`;
  if (kind !== 'proxy') return { account: organizationNamedIn(body), source, payer: 'source' };
  const configId = headers.find(({ name }) => name === 'x-auth-proxy-config-id')?.value ?? '';
  return { account: `strangers of ${nameIn(configId)}`, source, payer: 'both' };
}

/** Returns the account of work that no request asked for. */
export function accountOfService(organizationId: string): RequestAccount {
  return { account: organizationId, source: '', payer: 'account' };
}

/** The /64 of an IPv6 address, since its holder has all of them. */
function networkOf(text: string): string {
  if (!text.includes(':')) return nameIn(text);
  const [unzoned = ''] = text.split('%');
  const address = parseIpAddress(unzoned);
  return address === undefined ? '' : ipBlockText(blockAround(address, 64));
}

/**
 * The first organization id in a body, without reading all of it. A wrong one only moves the request
 * among those that wait; who pays is decided once somebody was proven to ask.
 */
function organizationNamedIn(body: Uint8Array): string {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const at = text.indexOf('"organizationId"');
  if (at === -1) return '';
  const [, id = ''] = afterName.exec(text.toString('latin1', at, at + longestMember)) ?? [];
  return id.toLowerCase();
}

const afterName = /^"organizationId"\s*:\s*"([^"]{1,36})"/;
const longestMember = 128;

/** Names that are remembered are short. */
const nameIn = (text: string): string => text.slice(0, 64);
