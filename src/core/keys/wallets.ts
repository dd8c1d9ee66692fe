// Rules of wallets and their accounts.

import { addressFormats, addressOf, isCurveOfFormat } from '../address/index.ts';
import { hex } from '../base/bytes.ts';
import type { Context } from '../base/context.ts';
import type { CurveName } from '../base/enums.ts';
import { mnemonicLengths } from '../derivation/mnemonic.ts';
import { canonicalPath, parsePath } from '../derivation/path.ts';
import { fail, failField } from '../errors/errors.ts';
import { checkLimit } from '../organization/limits.ts';
import type { Wallet, WalletAccount } from '../organization/model.ts';
import { requiredRecord } from '../organization/required_record.ts';
import type { OrganizationDraft, OrganizationView } from '../organization/state.ts';
import type { Keyring } from './keyring.ts';

/** Maximum number of deleted accounts in a wallet's row, which is always in memory. */
export const maximumDeletedAccounts = 1000;

/** Maximum number of individually exported accounts in a wallet's row. */
export const maximumExportedAccounts = 1000;

/** Maximum number of accounts deleted together with their wallets in a request. */
export const maximumDroppedAccounts = 1000;

const defaultMnemonicLength = 12;

/** Parameters of an account. */
export type AccountParameters = {
  readonly curve: CurveName;
  readonly pathFormat: 'PATH_FORMAT_BIP32';
  readonly path: string;
  readonly addressFormat: keyof typeof addressFormats;
  readonly name?: string;
};

/** Returns the word count of a request (default 12). Raises `field_invalid`. */
export function mnemonicLengthOf(value: string | number | undefined, field: string): number {
  if (value === undefined) return defaultMnemonicLength;
  const length = mnemonicLengths.find((allowed) => allowed === Number(value));
  if (length === undefined) {
    failField(field, `expected one of ${mnemonicLengths.join(', ')}, got \`${value}\``);
  }
  return length;
}

/** Stores a wallet with an existing seed. Raises `limit_exceeded` and `label_not_unique`. */
export function keepWallet(
  input: { id: string; name: string; secret: Wallet['secret']; now: number },
  organization: OrganizationDraft,
): Wallet {
  checkLimit('wallets', organization.list('wallet').length + 1, organization);
  return addWallet(input, { secret: input.secret, imported: false }, organization);
}

/** Creates a wallet with a new seed. Raises `limit_exceeded`, `label_not_unique`. */
export function createWallet(
  input: { id: string; name: string; mnemonicLength: number; now: number },
  organization: OrganizationDraft,
  keyring: Keyring,
): Wallet {
  const secret = keyring.createSeed(input.id, input.mnemonicLength);
  return keepWallet({ ...input, secret }, organization);
}

/**
 * Creates a wallet from an imported sentence (UTF-8, with an optional passphrase); `field` is its path in the
 * request. Raises `limit_exceeded`, `label_not_unique` and `field_invalid`.
 */
export function importWallet(
  input: { id: string; name: string; seed: ImportedSeed; now: number },
  organization: OrganizationDraft,
): Wallet {
  checkLimit('wallets', organization.list('wallet').length + 1, organization);
  return addWallet(input, { ...input.seed, imported: true }, organization);
}

type ImportedSeed = NonNullable<ReturnType<Keyring['importSeed']>>;

/** Seals the seed of a mnemonic for a wallet with this id. Raises `field_invalid`. */
export function importSeed(
  id: string,
  contents: Uint8Array,
  keyring: Keyring,
  field: string,
): ImportedSeed {
  const seed = keyring.importSeed(id, contents);
  if (seed !== undefined) return seed;
  const lengths = mnemonicLengths.join(', ');
  failField(field, `invalid mnemonic: expected a BIP-39 sentence of ${lengths} words`);
}

function addWallet(
  { id, name, now }: { id: string; name: string; now: number },
  seed: Pick<Wallet, 'secret' | 'language' | 'imported'>,
  organization: OrganizationDraft,
): Wallet {
  requireNameFree(name, organization);
  const wallet: Wallet = {
    id,
    name,
    ...seed,
    exported: false,
    deletedAccountIds: [],
    createdAtMs: now,
    updatedAtMs: now,
  };
  organization.put('wallet', wallet);
  return wallet;
}

/** Renames a wallet; its own name is allowed. Raises `label_not_unique`. */
export function renameWallet(
  wallet: Wallet,
  name: string,
  organization: OrganizationDraft,
  now: number,
): void {
  if (name !== wallet.name) requireNameFree(name, organization);
  organization.put('wallet', { ...wallet, name, updatedAtMs: now });
}

/** Rejects the name of another wallet, because clients find their wallets by name. */
function requireNameFree(name: string, organization: OrganizationView): void {
  if (organization.list('wallet').some((wallet) => wallet.name === name)) {
    fail('label_not_unique', { resource: 'wallet', label: name });
  }
}

/** Marks a wallet as exported, and with it every account. */
export function markWalletExported(
  wallet: Wallet,
  organization: OrganizationDraft,
  now: number,
): void {
  if (wallet.exported) return;
  organization.put('wallet', { ...wallet, exported: true, updatedAtMs: now });
}

/**
 * Marks an account as exported, unless its wallet is exported. Raises `limit_exceeded` if the wallet already
 * names 1000 accounts.
 */
export function markAccountExported(
  { id, walletId }: Pick<WalletAccount, 'id' | 'walletId'>,
  organization: OrganizationDraft,
  now: number,
): void {
  const wallet = requireWallet(organization, walletId);
  const { exportedAccountIds: earlier = [] } = wallet;
  if (wallet.exported || earlier.includes(id)) return;
  const exportedAccountIds = [...earlier, id];
  if (exportedAccountIds.length > maximumExportedAccounts) {
    fail('limit_exceeded', {
      owner: `wallet ${walletId}`,
      resource: 'accounts exported one by one (export the wallet instead)',
      limit: maximumExportedAccounts,
    });
  }
  organization.put('wallet', { ...wallet, exportedAccountIds, updatedAtMs: now });
}

/** Finds a wallet by its ID in any letter case. Raises `resource_not_found`. */
export const requireWallet = requiredRecord('wallet', 'wallet');

/** The derived members of a new account. */
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
): readonly DerivedAccount[] {
  return withoutDuplicates(
    accounts.map((account, i) => deriveAccount(wallet, account, keyring, `${field}.${i}`)),
  );
}

/** Like `deriveAccounts`, with a pause after each, since 100 accounts take long. */
export async function deriveAccountsInParts(
  wallet: Pick<Wallet, 'id' | 'secret'>,
  accounts: readonly AccountParameters[],
  keyring: Keyring,
  field: string,
  pause: () => Promise<void>,
): Promise<readonly DerivedAccount[]> {
  const derived: DerivedAccount[] = [];
  for (const [i, account] of accounts.entries()) {
    derived.push(deriveAccount(wallet, account, keyring, `${field}.${i}`));
    await pause();
  }
  return withoutDuplicates(derived);
}

function withoutDuplicates(derived: readonly DerivedAccount[]): readonly DerivedAccount[] {
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
  context: Context,
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

/**
 * Deletes accounts of existing wallets. A wallet keeps their IDs, so that an old row that reappears stays
 * deleted. Raises `wallet_account_not_exported` unless each was exported or `withoutExport` is set, and
 * `limit_exceeded` if a wallet would name more than 1000 deleted accounts.
 */
export function deleteAccounts(
  accounts: readonly WalletAccount[],
  withoutExport: boolean,
  organization: OrganizationDraft,
): void {
  for (const account of accounts) {
    const wallet = requireWallet(organization, account.walletId);
    const { exportedAccountIds = [] } = wallet;
    // A wallet's exported sentence contains every account.
    const isExported = wallet.exported || exportedAccountIds.includes(account.id);
    if (!isExported && !withoutExport) fail('wallet_account_not_exported', { id: account.id });
    const deletedAccountIds = [...wallet.deletedAccountIds, account.id];
    if (deletedAccountIds.length > maximumDeletedAccounts) {
      fail('limit_exceeded', {
        owner: `wallet ${wallet.id}`,
        resource: 'deleted accounts (delete the wallet instead)',
        limit: maximumDeletedAccounts,
      });
    }
    organization.put('wallet', { ...wallet, deletedAccountIds });
    organization.drop('wallet_account', account);
  }
}

/**
 * Deletes a wallet. None of its accounts can be found or used afterwards, even if their rows are not among
 * `accounts` and remain stored. Raises `not_exported` unless the wallet was exported or `withoutExport` is
 * set.
 */
export function deleteWallet(
  wallet: Wallet,
  accounts: readonly WalletAccount[],
  withoutExport: boolean,
  organization: OrganizationDraft,
): void {
  if (!wallet.exported && !withoutExport) {
    fail('not_exported', { resource: 'wallet', id: wallet.id });
  }
  organization.remove('wallet', wallet.id);
  for (const account of accounts) organization.drop('wallet_account', account);
}

/** Rejects an account that the wallet already has. */
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
  const { curve, addressFormat, pathFormat, name } = account;
  const segments = parsePath(account.path);
  if (segments === undefined) {
    return failField(`${field}.path`, `invalid path: expected m, or m/44'/60'/0'/0/0 and the like`);
  }
  if (!isCurveOfFormat(addressFormat, curve)) {
    const { curves } = addressFormats[addressFormat];
    failField(`${field}.curve`, `invalid curve: ${addressFormat} is of ${curves.join(' or ')}`);
  }
  // Stores the canonical path, so that lookups and duplicate checks agree.
  const path = canonicalPath(segments);
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
