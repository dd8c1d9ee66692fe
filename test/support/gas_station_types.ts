// The typed data of the public gas station, version 1.1, in the form of Ethereum libraries.

const call = [
  { name: 'to', type: 'address' },
  { name: 'value', type: 'uint256' },
  { name: 'data', type: 'bytes' },
] as const;
const until = [
  { name: 'nonce', type: 'uint128' },
  { name: 'deadline', type: 'uint32' },
] as const;

export const stationCall = call;
/** The types of a single call and of a batch. */
export const executionTypes = { Execution: [...until, ...call] } as const;
export const batchTypes = {
  BatchExecution: [...until, { name: 'calls', type: 'Call[]' }],
  Call: call,
} as const;

/** Returns the signing domain of a sender on a chain. */
export const stationDomain = <Chain extends number | bigint>(
  chainId: Chain,
  verifyingContract: `0x${string}`,
) => ({ name: 'TKGasDelegate', version: '1.1', chainId, verifyingContract }) as const;
