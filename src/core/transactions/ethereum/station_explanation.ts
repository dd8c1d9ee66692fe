// Explains typed data of the delegate of a gas station. The signature alone lets anyone deliver the calls,
// which the account of the signer makes by its code (EIP-7702).

import { eip55 } from '../../address/ethereum.ts';
import { hex } from '../../base/bytes.ts';
import { domainFacts, type TypedData } from '../../payload/eip712.ts';
import { encodeType } from '../../payload/eip712_types.ts';
import { instantText } from '../text/instant_text.ts';
import { effectsOfCalls } from './inner_effects.ts';
import { onChain } from './known_chains.ts';
import { anyChainWarnings, type ExplainedPermit } from './permit_explanation.ts';
import { type Members, membersOf } from './typed_members.ts';

const oneCall = 'Execution(uint128 nonce,uint32 deadline,address to,uint256 value,bytes data)';
const severalCalls =
  'BatchExecution(uint128 nonce,uint32 deadline,Call[] calls)Call(address to,uint256 value,bytes data)';

/** Reads the calls of an account; undefined for other typed data. */
export function readStation(data: TypedData) {
  const { verifyingContract } = domainFacts(data);
  const encoded = encodeType(data.primaryType, data.types);
  const isStation = encoded === oneCall || encoded === severalCalls;
  if (!isStation || verifyingContract === undefined) return undefined;
  const message = membersOf(data.message);
  const calls = (encoded === oneCall ? [message] : message.structs('calls')).map(callOf);
  return {
    calls,
    sender: eip55(hex(verifyingContract)),
    deadline: message.number('deadline') ?? 0n,
  };
}

/** Returns the explanation of the calls of an account; undefined for other typed data. */
export function explainStation(data: TypedData, signer: string): ExplainedPermit | undefined {
  const { chainId } = domainFacts(data);
  const found = readStation(data);
  if (found === undefined) return undefined;
  const { calls, sender, deadline } = found;
  const { effects, warnings } = effectsOfCalls(calls, { chainId, sender }, 'The account');
  const count = calls.length === 1 ? 'a call' : `${calls.length} calls`;
  const until = instantText(deadline * 1000n);
  return {
    summary: `${signer} has ${sender} make ${count} ${onChain(chainId)}, by a signature alone, until ${until}.`,
    effects,
    warnings: [...warnings, ...anyChainWarnings(chainId)],
  };
}

/** The type of the data has all members. */
const callOf = (members: Members) => ({
  to: members.bytesOfAddress('to') ?? new Uint8Array(20),
  value: members.number('value') ?? 0n,
  data: members.bytes('data') ?? new Uint8Array(0),
  isDelegate: false,
});
