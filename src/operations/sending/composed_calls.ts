// Contract calls that the service composes, sent like those of `eth_send_transaction`.

import { hex } from '../../core/base/bytes.ts';
import { failField } from '../../core/errors/errors.ts';
import { isUuid } from '../../core/schema/formats.ts';
import { requestedTerms } from '../../core/sends/ethereum_send.ts';
import type { StationCall } from '../../core/sends/gas_station.ts';
import type { LoadInput } from '../operation.ts';
import { type LaterCall, ownSend } from './ethereum_own.ts';
import type { PreparedSend } from './ethereum_prepared.ts';
import { amount, requireNamedNonce, type Sender } from './ethereum_sender.ts';
import { sponsoredSend } from './ethereum_sponsor.ts';

/** Gas of an approval and of a sponsored delivery, beyond that of the call after the approval. */
const gasAroundCall = 350_000n;

/** Rejects the ID of a private key, because these operations accept only addresses. */
export function requireAddress(signWith: string): void {
  if (isUuid(signWith))
    failField('parameters.signWith', 'expected an address, got the id of a key');
}

/** The nonces that a request may name: of its transaction, and of the calls that a sponsor delivers. */
export const namedNonces = () => ({ nonce: amount(), gasStationNonce: amount() });

/** One call, or an approval and the call that needs it. */
type ComposedCalls = { readonly first: StationCall; readonly later?: LaterCall };

/**
 * Returns a call, with an approval before it unless the contract already has an allowance. A node cannot
 * estimate the call before the approval is in a block, so it uses the configured gas limit.
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
    readonly nonces: {
      readonly nonce?: string | undefined;
      readonly gasStationNonce?: string | undefined;
    };
    /** The member with the nonce of the transaction. Default: `nonce`. */
    readonly nonceMember?: string;
  },
  input: Pick<LoadInput<unknown>, 'organization' | 'read' | 'context' | 'services'>,
): Promise<PreparedSend> {
  const { sender, calls, sponsor, nonceMember = 'nonce' } = of;
  const { nonce, gasStationNonce } = of.nonces;
  const { first, later } = calls;
  const { caip2 } = sender.place;
  if (!sponsor) {
    requireNamedNonce(sender.found, nonceMember, nonce);
    if (later !== undefined) requireOneNonce(sender);
    if (gasStationNonce !== undefined) {
      failField('parameters.gasStationNonce', 'expected nothing: only sponsored calls have it');
    }
    const terms = requestedTerms({ nonce }, caip2);
    return await ownSend(
      { sender, terms, call: first, ...(later === undefined ? {} : { later: [later] }) },
      input,
    );
  }
  const all = later === undefined ? [first] : [first, later];
  const parameters = {
    from: sender.account.address,
    caip2,
    nonce,
    gasStationNonce,
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

/**
 * Rejects two transactions of an external key. Of an earlier attempt that was not recorded, the second one
 * could be in a block beside the first one of this attempt.
 */
function requireOneNonce({ found: { external } }: Sender): void {
  if (external === undefined) return;
  const expected =
    'expected a sponsor, or an approval sent before by `eth_send_transaction`, because the key is held' +
    ' outside of this service';
  failField('parameters.sponsor', expected);
}
