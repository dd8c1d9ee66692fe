// Explains authorizations (EIP-7702), in a transaction or signed separately.

import type { Authorization } from '../../payload/eip7702.ts';
import { addressText } from './call.ts';

/** Returns a sentence about the account and its new code; `authority` is the account's address. */
export function delegationSentence(
  { address, chainId, nonce }: Authorization,
  authority: string,
): string {
  const where = chainId === 0n ? 'on every chain' : `on chain ${chainId}`;
  const condition = `${where}, if its nonce is ${nonce} then`;
  return isNoCode(address)
    ? `Takes away the code that acts for ${authority} ${condition}`
    : `Lets the code at ${addressText(address)} act for ${authority} ${condition}`;
}

/** Returns true for the address that means no code. */
export const isNoCode = (address: Uint8Array): boolean => address.every((byte) => byte === 0);

export const delegationWarning =
  'Code that is set for an account can move everything that the account owns.';
