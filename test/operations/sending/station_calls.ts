// Reads the calls that a sender signed for a sponsor.

import { Transaction } from 'ethers';
import { decodeFunctionData, type Hex, parseAbi, recoverTypedDataAddress } from 'viem';
import { batchTypes, executionTypes, stationDomain } from '../../support/gas_station_types.ts';
import type { TestService } from '../../support/harness.ts';
import { unsettled } from './send_requests.ts';

const abi = parseAbi([
  'struct Call { address to; uint256 value; bytes data; }',
  'function execute(address sender, address to, uint256 value, bytes signed)',
  'function executeBatch(address sender, Call[] calls, bytes signed)',
]);

/** Returns the transactions that the gateway should send. */
export async function signedOf(service: TestService): Promise<readonly Transaction[]> {
  const sends = await unsettled(service);
  return sends.map(({ signedTransaction }) => Transaction.from(signedTransaction));
}

/** Returns the content that the sender signed, from its place in the call data. */
export async function signerOf({ data, chainId }: Transaction) {
  const { functionName, args } = decodeFunctionData({ abi, data: data as Hex });
  const packed = functionName === 'execute' ? args[3] : args[2];
  const at = (first: number, end?: number) =>
    `0x${packed.slice(2 + 2 * first, end && 2 + 2 * end)}` as const;
  const terms = { nonce: BigInt(at(65, 81)), deadline: Number(at(81, 85)) };
  const domain = stationDomain(chainId, args[0]);
  const signature = at(0, 65);
  const signer =
    functionName === 'execute'
      ? await recoverTypedDataAddress({
          domain,
          signature,
          types: executionTypes,
          primaryType: 'Execution',
          message: { ...terms, to: args[1], value: args[2], data: at(85) },
        })
      : await recoverTypedDataAddress({
          domain,
          signature,
          types: batchTypes,
          primaryType: 'BatchExecution',
          message: { ...terms, calls: [...args[1]] },
        });
  return { signer, ...terms, functionName, args };
}
