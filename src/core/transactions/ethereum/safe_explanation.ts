// Explains typed data of a Safe. An owner's signature alone approves a transaction of the Safe.

import { eip55 } from '../../address/ethereum.ts';
import { hex } from '../../base/bytes.ts';
import type { Warning } from '../../organization/records/transaction_explanation.ts';
import { domainFacts, type TypedData } from '../../payload/eip712.ts';
import { effectsOfSafe } from './inner_effects.ts';
import { onChain } from './known_chains.ts';
import { anyChainWarnings, type ExplainedPermit } from './permit_explanation.ts';
import { membersOf } from './typed_members.ts';

/** Returns the explanation of a Safe transaction; undefined for other typed data. */
export function explainSafe(data: TypedData, signer: string): ExplainedPermit | undefined {
  const { chainId, verifyingContract } = domainFacts(data);
  if (data.primaryType !== 'SafeTx' || verifyingContract === undefined) return undefined;
  const message = membersOf(data.message);
  const [to, call] = [message.bytesOfAddress('to'), message.bytes('data')];
  const [value, operation] = [message.number('value'), message.number('operation')];
  const nonce = message.number('nonce');
  const isWhole = to !== undefined && call !== undefined && nonce !== undefined;
  if (!isWhole || value === undefined || operation === undefined || operation > 1n)
    return undefined;
  const safe = eip55(hex(verifyingContract));
  const inner = { to, data: call, value, isDelegate: operation === 1n };
  const { effects, warnings } = effectsOfSafe(inner, { chainId, safe });
  const where = onChain(chainId);
  return {
    summary: `${signer} approves the transaction ${nonce} of the Safe ${safe} ${where}, by a signature alone.`,
    effects,
    warnings: [
      ...warnings,
      ...refundWarnings(message.number('gasPrice')),
      ...anyChainWarnings(chainId),
    ],
  };
}

/** Warns of a refund: with a gas price, the Safe pays the account that executes the transaction. */
const refundWarnings = (gasPrice = 0n): readonly Warning[] =>
  gasPrice === 0n
    ? []
    : [{ code: 'HIGH_FEE', text: 'The Safe also pays a refund to the account that executes it.' }];
