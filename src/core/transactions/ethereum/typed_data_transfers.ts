// The transfers of typed data and authorizations that velocity controls count. The signature alone lets
// others make the transfers.

import { tronAddress } from '../../address/tron.ts';
import { bytesOfHex } from '../../base/bytes.ts';
import { domainFacts, type TypedData } from '../../payload/eip712.ts';
import type { Authorization } from '../../payload/eip7702.ts';
import { transfersOfCalls } from '../calls/call_transfers.ts';
import { everythingOf } from '../calls/transfer_rules.ts';
import type { VisibleTransfer } from '../described.ts';
import { addressText, isZeroAddress } from './call.ts';
import { transfersOfLending } from './lending_explanation.ts';
import { transfersOfPermit } from './permit_explanation.ts';
import { readSafe } from './safe_explanation.ts';
import { readStation } from './station_explanation.ts';
import { readUserOperation, setsUpItself } from './user_operation.ts';

/** A transfer, with its chain if that is not the chain of the payload. */
type MovedAnywhere = VisibleTransfer & { readonly chain?: string };
type Moves = { readonly chain: string; readonly transfers: () => readonly MovedAnywhere[] };

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
    return {
      chain: chainOf(chainId),
      transfers: () => onTronToo(transfersOfTypedData(typedData, signer), chainId),
    };
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

/** Chain IDs of Tron, which are the names of its networks: Tron, Nile and Shasta. */
const tronNetworks: ReadonlySet<bigint> = new Set([0x2b6653dcn, 0xcd8690dcn, 0x94a9059en]);

/** Adds the transfers as those of Tron, where typed data has the same form (TIP-712). */
function onTronToo(
  transfers: readonly VisibleTransfer[],
  chainId: bigint | undefined,
): readonly MovedAnywhere[] {
  if (chainId !== undefined && !tronNetworks.has(chainId)) return transfers;
  const chain = chainId === undefined ? 'tron' : `tron:0x${chainId.toString(16)}`;
  const spelled = transfers.map((each) => ({
    ...each,
    chain,
    token: each.token === undefined ? undefined : tronText(each.token),
    from: tronText(each.from),
    to: tronText(each.to),
  }));
  return [...transfers, ...spelled];
}

/** Returns an address of Ethereum as one of Tron; any other text stays. */
function tronText(text: string): string {
  const account = /^0x[0-9a-f]{40}$/i.test(text) ? bytesOfHex(text.slice(2)) : undefined;
  return account === undefined ? text : tronAddress(account);
}

const writer = { addressOf: addressText };

function transfersOfTypedData(data: TypedData, signer: string): readonly VisibleTransfer[] {
  const permit = transfersOfPermit(data, signer) ?? transfersOfLending(data, signer);
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
