// Explains typed data of a Safe. An owner's signature alone approves a transaction of the Safe.

import { eip55 } from '../../address/ethereum.ts';
import { hex } from '../../base/bytes.ts';
import { domainFacts, type TypedData } from '../../payload/eip712.ts';
import { effectsOfCalls } from './inner_effects.ts';
import { onChain } from './known_chains.ts';
import { anyChainWarnings, type ExplainedPermit } from './permit_explanation.ts';
import { typeWarnings } from './standard_types.ts';
import { membersOf } from './typed_members.ts';

/** Reads a Safe transaction; undefined for other typed data. */
export function readSafe(data: TypedData) {
  const { verifyingContract } = domainFacts(data);
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
  const refund = {
    // Safes before version 1.0 call it `dataGas`.
    baseGas: message.number('baseGas') ?? message.number('dataGas') ?? 0n,
    gasPrice: message.number('gasPrice') ?? 0n,
    token: message.bytesOfAddress('gasToken') ?? new Uint8Array(20),
    receiver: message.bytesOfAddress('refundReceiver') ?? new Uint8Array(20),
  };
  return { safe, nonce, inner, refund };
}

/** Returns the explanation of a Safe transaction; undefined for other typed data. */
export function explainSafe(data: TypedData, signer: string): ExplainedPermit | undefined {
  const { chainId } = domainFacts(data);
  const found = readSafe(data);
  if (found === undefined) return undefined;
  const { safe, nonce, inner, refund } = found;
  const { effects, warnings } = effectsOfCalls(
    [inner],
    { chainId, sender: safe, refund },
    'The Safe',
  );
  const where = onChain(chainId);
  return {
    summary: `${signer} approves the transaction ${nonce} of the Safe ${safe} ${where}, by a signature alone.`,
    effects,
    warnings: [...warnings, ...typeWarnings(data, safe), ...anyChainWarnings(chainId)],
  };
}
