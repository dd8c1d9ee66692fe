// Authorizations (EIP-7702): an account lets the code of a contract act for it.

import { hex } from '../../../src/core/base/bytes.ts';
import { ServiceError } from '../../../src/core/errors/errors.ts';
import { readAuthorization } from '../../../src/core/payload/eip7702.ts';
import { t } from '../../messages/text.ts';
import type { Change } from './differences.ts';

/** Reads a JSON text as an authorization of an account. Returns undefined if it is none. */
export function authorizationOf(payload: string, account: string): Change | undefined {
  try {
    const { address, chainId, nonce } = readAuthorization(payload, 'payload');
    const contract = `0x${hex(address)}`;
    const chain =
      chainId === 0n
        ? t('delegation.everyChain')
        : t('delegation.chain', { chainId: String(chainId) });
    // No contract is there: the account is its key's alone again (EIP-7702, "Behavior").
    const isEnd = address.every((byte) => byte === 0);
    return {
      sentence: t(isEnd ? 'delegation.ends' : 'delegation.begins', { account, contract, chain }),
      differences: [
        { what: t('delegation.contract'), signed: contract },
        { what: t('delegation.on'), signed: chain },
        { what: t('delegation.nonce'), signed: String(nonce) },
      ],
      warnings: [
        ...(isEnd ? [] : [t('delegation.warning')]),
        ...(chainId === 0n ? [t('delegation.warnEveryChain')] : []),
      ],
    };
  } catch (error) {
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}
