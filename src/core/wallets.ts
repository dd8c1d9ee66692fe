// Rules of wallets and their accounts.

import { addressFormats, addressOf } from './address/index.ts';
import { hex } from './bytes.ts';
import { parsePath } from './derivation/path.ts';
import { fail, failField } from './errors.ts';
import type { Keyring } from './keyring.ts';
import { checkLimit } from './limits.ts';
import type { Wallet, WalletAccount } from './model.ts';
import type { CurveName } from './names.ts';
import type { OrganizationDraft } from './organization.ts';

/** Numbers of words a seed may have. */
export const mnemonicLengths = [12, 15, 18, 21, 24] as const;
const defaultMnemonicLength = 12;

/** An account as a request describes it. */
export type AccountParameters = {
  readonly curve: CurveName;
  readonly pathFormat: 'PATH_FORMAT_BIP32';
  readonly path: string;
  readonly addressFormat: keyof typeof addressFormats;
  readonly name?: string;
};

/** The word count of a request (default 12). Raises `field_invalid`. */
export function mnemonicLengthOf(value: string | number | undefined, field: string): number {
  if (value === undefined) return defaultMnemonicLength;
  const length = mnemonicLengths.find((allowed) => allowed === Number(value));
  if (length === undefined) {
    failField(field, `expected one of ${mnemonicLengths.join(', ')}, got \`${value}\``);
  }
  return length;
}

type Times = { readonly createdAtMs: number; readonly updatedAtMs: number };

/** Makes a wallet with a new seed. Raises `limit_exceeded`. */
export function createWallet(
  input: { id: string; name: string; mnemonicLength: number; now: number },
  organization: OrganizationDraft,
  keyring: Keyring,
): Wallet {
  checkLimit('wallets', organization.list('wallet').length + 1, organization);
  const times: Times = { createdAtMs: input.now, updatedAtMs: input.now };
  const wallet: Wallet = {
    id: input.id,
    name: input.name,
    secret: keyring.createSeed(input.id, input.mnemonicLength),
    exported: false,
    imported: false,
    deletedAccountIds: [],
    ...times,
  };
  organization.put('wallet', wallet);
  return wallet;
}

/** What an account derives to; not yet an account of anything. */
export type DerivedAccount = AccountParameters & {
  readonly address: string;
  /** Hex: 33-byte compressed point, or 32 bytes for Ed25519. */
  readonly publicKey: string;
};

/**
 * Derives accounts in request order. `field` is the path of the list in the request. Raises
 * `field_invalid` for a path or a curve that the address format does not have, and `already_exists`
 * for two accounts of the request with one address and format.
 */
export function deriveAccounts(
  wallet: Pick<Wallet, 'id' | 'secret'>,
  accounts: readonly AccountParameters[],
  keyring: Keyring,
  field: string,
): DerivedAccount[] {
  const derived = accounts.map((account, i) =>
    deriveAccount(wallet, account, keyring, `${field}.${i}`),
  );
  const seen = new Set<string>();
  for (const { addressFormat, address, path } of derived) {
    const key = `${addressFormat}/${address}`;
    if (seen.has(key)) failDuplicateAccount(path, addressFormat);
    seen.add(key);
  }
  const names = derived.map((account) => account.name).filter((name) => name !== undefined);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) fail('label_not_unique', { resource: 'wallet account', label: twice });
  return derived;
}

/** Adds derived accounts to a wallet, in order. */
export function addAccounts(
  walletId: string,
  accounts: readonly DerivedAccount[],
  organization: OrganizationDraft,
  context: { now: number; newId: () => string },
): WalletAccount[] {
  return accounts.map((derived) => {
    const account: WalletAccount = {
      ...derived,
      id: context.newId(),
      walletId,
      createdAtMs: context.now,
      updatedAtMs: context.now,
    };
    organization.add('wallet_account', account);
    return account;
  });
}

/** Refuses an account that the wallet has already. */
export function failDuplicateAccount(path: string, addressFormat: string): never {
  return fail('already_exists', {
    resource: 'wallet account',
    what: `path ${path} with ${addressFormat} in this wallet`,
  });
}

function deriveAccount(
  wallet: Pick<Wallet, 'id' | 'secret'>,
  account: AccountParameters,
  keyring: Keyring,
  field: string,
): DerivedAccount {
  const { curve, path, addressFormat, pathFormat, name } = account;
  if (parsePath(path) === undefined) {
    failField(`${field}.path`, `invalid path: expected m, or m/44'/60'/0'/0/0 and the like`);
  }
  const { curves } = addressFormats[addressFormat];
  if (!curves.includes(curve)) {
    failField(`${field}.curve`, `invalid curve: ${addressFormat} is of ${curves.join(' or ')}`);
  }
  const publicKey = keyring.publicKeyAt(wallet, curve, path);
  return {
    curve,
    pathFormat,
    path,
    addressFormat,
    ...(name === undefined ? {} : { name }),
    address: addressOf(addressFormat, curve, publicKey),
    publicKey: hex(publicKey),
  };
}
