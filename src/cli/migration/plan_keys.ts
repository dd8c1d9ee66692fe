// Plans the move of wallets and private keys, and compares their addresses.

import { type Account, isSameAddress } from '../accounts/wallet_accounts.ts';
import { counted, onlyOne, type PlannedRow } from './rows.ts';
import type { KeyState, OrganizationState, WalletState } from './state.ts';
import type { KeyKind, Transfers } from './transfers.ts';

/** Maximum accounts that one request can derive. */
const accountsAtOnce = 100;
const shownDifferences = 3;

/** Returns the wallet of the target with the same accounts, else the only wallet of this name. */
export function walletLike(
  wallet: WalletState,
  source: OrganizationState,
  target: OrganizationState,
): WalletState | undefined {
  const addresses = new Set(wallet.accounts.map(({ address }) => address));
  const same = target.wallets.find(({ accounts }) =>
    accounts.some(({ address }) => addresses.has(address)),
  );
  if (same !== undefined) return same;
  const found = onlyOne(target.wallets, wallet.name);
  return onlyOne(source.wallets, wallet.name) === undefined ? undefined : found;
}

/** Returns the private key of the target with the same public key, else the only one of this name. */
export function keyLike(
  key: KeyState,
  source: OrganizationState,
  target: OrganizationState,
): KeyState | undefined {
  const same = target.privateKeys.find(
    ({ publicKey, curve }) => publicKey === key.publicKey && curve === key.curve,
  );
  if (same !== undefined) return same;
  const found = onlyOne(target.privateKeys, key.name);
  return onlyOne(source.privateKeys, key.name) === undefined ? undefined : found;
}

type Both = { readonly source: OrganizationState; readonly target: OrganizationState };

export function walletRow(
  wallet: WalletState,
  { source, target }: Both,
  transfers: Transfers | undefined,
): PlannedRow {
  const { name, accounts } = wallet;
  const about = { kind: 'wallet', name } as const;
  const found = walletLike(wallet, source, target);
  if (found === undefined) {
    return movedRow('wallet', wallet, transfers, {
      walletName: name,
      accounts: accounts.slice(0, accountsAtOnce).map(accountParameters),
    });
  }
  const compared = accounts.map((account) => ({
    account,
    there: found.accounts.find((other) => isSameAccount(account, other)),
  }));
  const others = compared.filter(
    ({ account, there }) => there !== undefined && !isSameAddress(there.address, account.address),
  );
  if (others.length > 0) {
    const texts = others.map(
      ({ account, there }) => `${account.path} is ${there?.address}, not ${account.address}`,
    );
    return { ...about, state: 'differs', note: firstOf(texts) };
  }
  const missing = compared.filter(({ there }) => there === undefined);
  if (missing.length === 0) {
    const note =
      accounts.length === 0 ? '' : `same ${counted(accounts.length, 'address', 'addresses')}`;
    return { ...about, state: 'done', note };
  }
  const created = missing.slice(0, accountsAtOnce).map(({ account }) => accountParameters(account));
  const parameters = { walletId: found.id, accounts: created };
  const creation = { operation: 'create_wallet_accounts', parameters } as const;
  const note = `lacks ${counted(missing.length, 'account')}`;
  return { ...about, state: 'create', note, creation };
}

const isSameAccount = (one: Account, other: Account): boolean =>
  one.path === other.path && one.curve === other.curve && one.addressFormat === other.addressFormat;

const accountParameters = ({ curve, pathFormat, path, addressFormat, name }: Account) => ({
  curve,
  pathFormat,
  path,
  addressFormat,
  ...(name === undefined || name === '' ? {} : { name }),
});

export function keyRow(
  key: KeyState,
  { source, target }: Both,
  transfers: Transfers | undefined,
): PlannedRow {
  const { name, curve, addresses } = key;
  const about = { kind: 'private key', name } as const;
  const found = keyLike(key, source, target);
  if (found === undefined) {
    const addressFormats = addresses.map(({ format }) => format);
    return movedRow('private key', key, transfers, { privateKeyName: name, curve, addressFormats });
  }
  const texts = [
    ...(found.publicKey === key.publicKey ? [] : ['it has another public key']),
    ...addresses.flatMap(({ format, address = '' }) => {
      const there = found.addresses.find((other) => other.format === format)?.address;
      return isSameAddress(there, address)
        ? []
        : [`${format} is ${there ?? 'missing'}, not ${address}`];
    }),
  ];
  if (texts.length > 0) return { ...about, state: 'differs', note: firstOf(texts) };
  const note = `same ${counted(addresses.length, 'address', 'addresses')}`;
  return { ...about, state: 'done', note: addresses.length === 0 ? 'same public key' : note };
}

/** Plans a row of a wallet or key that the target lacks. */
function movedRow(
  kind: KeyKind,
  { id: sourceId, name }: { readonly id: string; readonly name: string },
  transfers: Transfers | undefined,
  parameters: Readonly<Record<string, unknown>>,
): PlannedRow {
  const about = { kind, name } as const;
  if (transfers === undefined) {
    const word = kind === 'wallet' ? 'wallet' : 'key';
    const note = `give --keys, or export it there, then: keywright import ${word}`;
    return { ...about, state: 'by hand', note };
  }
  const transfer = transfers.bySource.get(sourceId);
  if (transfer === undefined) {
    return { ...about, state: 'create', note: '', move: { step: 'export', kind, sourceId } };
  }
  if (transfer.step === 'export rejected') {
    return { ...about, state: 'by hand', note: transfer.note };
  }
  if (transfer.step !== 'exported') return { ...about, state: 'waits', note: transfer.note };
  const { bundle } = transfer;
  const move = { step: 'import', kind, bundle, parameters } as const;
  return { ...about, state: 'create', note: 'exported', move };
}

/** Plans a tag of private keys, once all its keys are in the target. */
export function keyTagRow(
  { id, name }: { readonly id: string; readonly name: string },
  { source, target }: Both,
): PlannedRow {
  const about = { kind: 'private key tag', name } as const;
  const tagged = source.privateKeys.filter(({ privateKeyTags }) => privateKeyTags.includes(id));
  const moved = tagged.map((key) => keyLike(key, source, target));
  const present = moved.filter((key) => key !== undefined);
  const found = onlyOne(target.privateKeyTags, name);
  if (found !== undefined) {
    const lacks = present.filter(({ privateKeyTags }) => !privateKeyTags.includes(found.id));
    return lacks.length === 0 && present.length === tagged.length
      ? { ...about, state: 'done', note: '' }
      : {
          ...about,
          state: 'differs',
          note: `lacks ${counted(tagged.length - present.length + lacks.length, 'key')}`,
        };
  }
  if (present.length < tagged.length) return { ...about, state: 'create', note: 'after its keys' };
  const parameters = { privateKeyTagName: name, privateKeyIds: present.map((key) => key.id) };
  const creation = { operation: 'create_private_key_tag', parameters } as const;
  return { ...about, state: 'create', note: '', creation };
}

function firstOf(texts: readonly string[]): string {
  const more = texts.length - shownDifferences;
  return `${texts.slice(0, shownDifferences).join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
}
