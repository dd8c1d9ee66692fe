// Calls of contracts that the service composes: they take the path of `eth_send_transaction`.

import { hex } from '../../core/base/bytes.ts';
import { failField } from '../../core/errors/errors.ts';
import { isUuid } from '../../core/schema/formats.ts';
import { requestedTerms } from '../../core/sends/ethereum_send.ts';
import type { StationCall } from '../../core/sends/gas_station.ts';
import type { LoadInput } from '../operation.ts';
import { type LaterCall, ownSend } from './ethereum_own.ts';
import type { PreparedSend } from './ethereum_prepared.ts';
import type { Sender } from './ethereum_sender.ts';
import { sponsoredSend } from './ethereum_sponsor.ts';

/** Gas of an approval and of a sponsored delivery, beyond that of the call after the approval. */
const gasAroundCall = 350_000n;

/** Rejects the ID of a private key, as these operations take addresses only. */
export function requireAddress(signWith: string): void {
  if (isUuid(signWith))
    failField('parameters.signWith', 'expected an address, got the id of a key');
}

/** One call, or an approval and the call that needs it. */
type ComposedCalls = { readonly first: StationCall; readonly later?: LaterCall };

/**
 * Returns a call, with an approval before it unless the contract may already take the tokens. A node cannot
 * estimate the call before the approval is in a block, so it has the gas limit of the setting.
 */
export const approvedCalls = (
  call: StationCall,
  of: { readonly isApproved: boolean; readonly approval: () => StationCall; readonly gas: number },
): ComposedCalls =>
  of.isApproved
    ? { first: call }
    : { first: of.approval(), later: { ...call, gas: BigInt(of.gas) } };

/**
 * Prepares one call, or two calls of which the first allows the second. A sponsor delivers both in one
 * transaction. Without a sponsor they are two transactions with nonces in sequence.
 */
export async function prepareCalls(
  of: {
    readonly sender: Sender;
    readonly calls: ComposedCalls;
    readonly sponsor: boolean;
    /** Nonces that the request names. */
    readonly nonces?: {
      readonly nonce?: string | undefined;
      readonly gasStationNonce?: string | undefined;
    };
  },
  input: Pick<LoadInput<unknown>, 'organization' | 'read' | 'context' | 'services'>,
): Promise<PreparedSend> {
  const { sender, calls, sponsor, nonces = {} } = of;
  const { first, later } = calls;
  const { caip2 } = sender.place;
  if (!sponsor) {
    const terms = requestedTerms({ nonce: nonces.nonce }, caip2);
    return await ownSend(
      { sender, terms, call: first, ...(later === undefined ? {} : { later: [later] }) },
      input,
    );
  }
  const all = later === undefined ? [first] : [first, later];
  const parameters = {
    from: sender.account.address,
    caip2,
    ...nonces,
    calls: all.map(({ to, value, data }) => ({
      to: `0x${hex(to)}`,
      value: String(value),
      data: `0x${hex(data)}`,
    })),
    // Nodes estimate each call alone, and the second would revert.
    ...(later === undefined ? {} : { gasLimit: String(later.gas + gasAroundCall) }),
  };
  return await sponsoredSend({ ...input, parameters });
}
