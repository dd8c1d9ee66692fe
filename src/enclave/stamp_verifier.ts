// Verifies stamps in this thread or on another core.

import { compactSignatureOfDer } from '../core/crypto/signature_der.ts';
import { stampVerifiers } from '../core/crypto/verify.ts';
import type { Ports } from '../pipeline/ports.ts';
import type { EnclavePorts } from './ports.ts';
import type { FairTurns } from './turns/fair_turns.ts';

/** With more requests in progress, the signing thread is always busy, and other cores have other work. */
const manyRequests = 24;

/**
 * Creates the verifier. At low load it verifies one stamp at a time on another core. At high load it verifies
 * stamps here, because the transfer to another core costs both cores a third of a verification.
 */
export function createStampVerifier(
  { usesThreadPool }: Pick<EnclavePorts, 'usesThreadPool'>,
  turns: FairTurns,
  load: { readonly requests: number },
): Ports['verifySignature'] {
  let isPoolUsed = false;
  return (stamp, body) => {
    const row = stampVerifiers[stamp.scheme];
    const signature =
      stamp.algorithm === 'ed25519' ? stamp.signature : compactSignatureOfDer(stamp.signature);
    if (signature === undefined) return false;
    const isHere = isPoolUsed || load.requests === 1 || load.requests > manyRequests;
    if (isHere || usesThreadPool === false) return row.verify(stamp.publicKey, signature, body);
    return verifyInPool(() => row.verifyInPool(stamp.publicKey, signature, body));
  };

  async function verifyInPool(verify: () => Promise<boolean>): Promise<boolean> {
    isPoolUsed = true;
    try {
      return await verify();
    } finally {
      isPoolUsed = false;
      await turns.pause();
    }
  }
}
