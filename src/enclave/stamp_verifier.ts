// Verifies stamps, here or on another core.

import { ecdsaSignatureOfDer } from '../core/crypto/signature_der.ts';
import { stampVerifiers } from '../core/crypto/verify.ts';
import type { Ports } from '../pipeline/ports.ts';
import type { EnclavePorts } from './ports.ts';
import type { FairTurns } from './turns/fair_turns.ts';

/**
 * While this many requests are under way, the signing thread is always busy, and other cores have other work.
 */
const manyRequests = 24;

/**
 * Verifies stamps: at low load one at a time on another core. At high load stamps are verified here, because
 * handing one over costs a third of verifying it, on both cores.
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
      stamp.algorithm === 'ed25519' ? stamp.signature : ecdsaSignatureOfDer(stamp.signature);
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
