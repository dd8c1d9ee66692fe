// Verifies stamps, here or on another core.

import { ecdsaSignatureOfDer } from '../core/crypto/signature_der.ts';
import { stampVerifiers } from '../core/crypto/verify.ts';
import type { Ports } from '../pipeline/ports.ts';
import type { EnclavePorts } from './ports.ts';
import type { FairTurns } from './turns/fair_turns.ts';

/** So many at once keep the thread that signs busy all the time. */
const manyRequests = 24;

/**
 * Beside other requests one stamp at a time is verified on another core, and of many requests every
 * second one. The others are verified here: handing one over costs a third of verifying it, and there
 * is other work for that core.
 */
export function createStampVerifier(
  { usesThreadPool }: Pick<EnclavePorts, 'usesThreadPool'>,
  turns: FairTurns,
  load: { readonly requests: number },
): Ports['verifySignature'] {
  let verifiedInPool = 0;
  let stampsOfMany = 0;
  return async (stamp, body) => {
    const row = stampVerifiers[stamp.scheme];
    const signature =
      stamp.algorithm === 'ed25519' ? stamp.signature : ecdsaSignatureOfDer(stamp.signature);
    if (signature === undefined) return false;
    const isOfMany = load.requests > manyRequests;
    if (isOfMany) stampsOfMany += 1;
    // Requests begin one after the other, so the pool is hardly ever full.
    const isFull = isOfMany ? stampsOfMany % 2 === 0 : verifiedInPool >= 1;
    if (isFull || load.requests === 1 || usesThreadPool === false) {
      return row.verify(stamp.publicKey, signature, body);
    }
    verifiedInPool += 1;
    try {
      return await row.verifyInPool(stamp.publicKey, signature, body);
    } finally {
      verifiedInPool -= 1;
      await turns.pause();
    }
  };
}
