// Explains authorizations (EIP-7702), in a transaction or signed separately.

import type { Authorization } from '../../payload/eip7702.ts';
import { addressText, isZeroAddress } from './call.ts';

/** Returns a sentence about the account and its new code; `authority` is the account's address. */
export function delegationSentence(
  { address, chainId, nonce }: Authorization,
  authority: string,
): string {
  const where = chainId === 0n ? 'on every chain' : `on chain ${chainId}`;
  const condition = `${where}, if its nonce is ${nonce} then`;
  // The zero address means no code.
  return isZeroAddress(address)
    ? `Takes away the code that acts for ${authority} ${condition}`
    : `Lets the code at ${addressText(address)} act for ${authority} ${condition}`;
}

export const delegationWarning =
  'Code that is set for an account can move everything that the account owns.';
