// Operators whose two keys are wallet accounts, which sign like any account.

import type { Context } from '../base/context.ts';
import { parsePath } from '../derivation/path.ts';
import { assert, failField } from '../errors/errors.ts';
import { type AccountParameters, addAccounts, type DerivedAccount } from '../keys/wallets.ts';
import type { Wallet } from '../organization/model.ts';
import type { OrganizationDraft } from '../organization/state.ts';
import { createOperator } from './operators.ts';

/** Returns an operator's accounts below a path, for encryption and signatures. Raises `field_invalid`. */
export function operatorAccounts(path: string, field: string): AccountParameters[] {
  return [`${path}/0`, `${path}/1`].map((below) => {
    if (parsePath(below) === undefined) {
      failField(field, "expected a path like m/5527107'/0'/0', with room for one more segment");
    }
    return {
      curve: 'CURVE_P256',
      pathFormat: 'PATH_FORMAT_BIP32',
      path: below,
      // Clients pass the address to sign with the account, and know operators by uncompressed keys.
      addressFormat: 'ADDRESS_FORMAT_UNCOMPRESSED',
    };
  });
}

/** Stores the accounts and the operator. Raises `limit_exceeded`. */
export function createHostedOperator(
  name: string,
  wallet: Pick<Wallet, 'id'>,
  derived: readonly DerivedAccount[],
  organization: OrganizationDraft,
  context: Context,
) {
  const [encrypt, sign] = addAccounts(wallet.id, derived, organization, context);
  assert(encrypt !== undefined && sign !== undefined, 'an operator has two accounts');
  const publicKey = `${encrypt.address}${sign.address}`;
  const described = { name, publicKey, keySource: 'ORG_WALLET_ACCOUNT' } as const;
  return {
    operatorId: createOperator(described, organization, context).id,
    encryptPublicKey: encrypt.address,
    signPublicKey: sign.address,
  };
}
