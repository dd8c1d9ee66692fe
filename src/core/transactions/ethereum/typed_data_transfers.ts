// The transfers of typed data and authorizations that velocity controls count. The signature alone lets
// others make the transfers.

import { domainFacts, type TypedData } from '../../payload/eip712.ts';
import type { Authorization } from '../../payload/eip7702.ts';
import { transfersOfCalls } from '../calls/call_transfers.ts';
import { everythingOf } from '../calls/transfer_rules.ts';
import type { VisibleTransfer } from '../described.ts';
import { addressText, isZeroAddress } from './call.ts';
import { transfersOfPermit } from './permit_explanation.ts';
import { readSafe } from './safe_explanation.ts';
import { readStation } from './station_explanation.ts';
import { readUserOperation, setsUpItself } from './user_operation.ts';

type Moves = { readonly chain: string; readonly transfers: () => readonly VisibleTransfer[] };

/**
 * Returns the transfers of a payload, with the CAIP-2 name of its chain, or the namespace if it is valid on
 * every chain. Undefined for payloads that are neither typed data nor an authorization. `signer` is an
 * address in EIP-55, or any other text if it is unknown.
 */
export function movesOfPayload(
  {
    typedData,
    authorization,
  }: {
    readonly typedData?: TypedData | undefined;
    readonly authorization?: Authorization | undefined;
  },
  signer: string,
): Moves | undefined {
  if (typedData !== undefined) {
    const { chainId } = domainFacts(typedData);
    return { chain: chainOf(chainId), transfers: () => transfersOfTypedData(typedData, signer) };
  }
  if (authorization === undefined) return undefined;
  const { address, chainId } = authorization;
  return {
    chain: chainOf(chainId === 0n ? undefined : chainId),
    transfers: () => (isZeroAddress(address) ? [] : everythingOf(signer)),
  };
}

const chainOf = (chainId: bigint | undefined): string =>
  chainId === undefined ? 'eip155' : `eip155:${chainId}`;

const writer = { addressOf: addressText };

function transfersOfTypedData(data: TypedData, signer: string): readonly VisibleTransfer[] {
  const permit = transfersOfPermit(data, signer);
  if (permit !== undefined) return permit;
  const safe = readSafe(data);
  if (safe !== undefined) {
    return transfersOfCalls([safe.inner], safe.safe, { ...writer, refund: safe.refund });
  }
  const operation = readUserOperation(data);
  if (operation !== undefined) {
    // The account itself reads the data of the call.
    const call = { to: operation.sender, data: operation.call, value: 0n };
    const account = addressText(operation.sender);
    return [
      ...(setsUpItself(operation.initCode) ? everythingOf(account) : []),
      ...transfersOfCalls([call], account, writer),
    ];
  }
  const station = readStation(data);
  return station === undefined ? [] : transfersOfCalls(station.calls, station.sender, writer);
}
