// Finds the signer for `--with`: an account of a wallet, an address, or a private key.

import type { Client } from '../../client/connect.ts';
import type { Queries } from '../../client/generated/operations.ts';
import { nearestName } from '../../core/base/edit_distance.ts';
import { quoted } from '../files/files.ts';
import { visible } from '../output/output.ts';
import { isKind, kindOf } from '../words/address_kinds.ts';
import { Failure, usage } from '../words/failures.ts';
import { option } from '../words/options.ts';
import {
  type Account,
  accountsOf,
  accountWithAddress,
  isSameAddress,
  matchAccounts,
  partsBelow,
} from './wallet_accounts.ts';

/** A key that can sign, with the address that it signs for. */
export type Signer = {
  /** The member `signWith` of a request. */
  readonly signWith: string;
  /** Undefined for a private key without addresses. */
  readonly address: string | undefined;
  readonly addressFormat: string | undefined;
  readonly curve: string;
  /** Hex: the 32 bytes of an Ed25519 key, else a compressed point. */
  readonly publicKey: string;
  /** The word to type for this signer. */
  readonly typed: string;
};

/** The purpose of a signature, and the keys that can sign for it. */
type Purpose = {
  /** Completes "no account that …", for example `signs messages`. */
  readonly does: string;
  readonly fits: (signer: Signer) => boolean;
};

/** The option of every command that signs. */
export const withOption = option(
  'SIGNER',
  'Signer: WALLET, WALLET/ACCOUNT (a kind such as ethereum, a path or a name), an address, or a private key.',
);

/**
 * Returns the only signer that the word names and that fits the purpose. Throws `usage` if the word is
 * missing, or if several or none of the named signers fit. Throws `not_found` for an unknown name.
 */
export async function findSigner(
  client: Client,
  word: string | undefined,
  { does, fits }: Purpose,
): Promise<Signer> {
  if (word === undefined) {
    throw usage(
      '--with is missing',
      'Name the signer: --with WALLET, an address, or a private key.',
    );
  }
  const named = await signersNamed(client, word);
  const fitting = distinct(named.filter(fits));
  const [only, ...others] = fitting;
  if (only === undefined) {
    const kinds = named
      .map(({ addressFormat, curve }) => kindOf(addressFormat ?? curve))
      .join(', ');
    throw usage(
      `${visible(word)} has no account that ${does}, only: ${kinds || 'no account at all'}`,
    );
  }
  if (others.length > 0) {
    const typed = wordsToType(fitting);
    throw usage(
      `${visible(word)} has ${fitting.length} accounts of which each ${does}: ${typed.join(', ')}`,
      `Name one of them: --with ${quoted(typed[0] ?? '')}`,
    );
  }
  return only;
}

/**
 * Returns the word to type for each signer: its short name, or its address if several signers share the name.
 */
function wordsToType(signers: readonly Signer[]): readonly string[] {
  const isTaken = (typed: string) => signers.filter((each) => each.typed === typed).length > 1;
  return signers.map(({ typed, signWith }) => visible(isTaken(typed) ? signWith : typed));
}

/** Returns every signer that the word names. Throws `not_found` if there is none. */
async function signersNamed(client: Client, word: string): Promise<readonly Signer[]> {
  const [{ wallets }, { privateKeys }] = await Promise.all([
    client.query('list_wallets'),
    client.query('list_private_keys'),
  ]);
  const ofWallets = await Promise.all(
    wallets.flatMap(({ walletId, walletName }) =>
      partsBelow(word, [walletId, walletName]).map(({ name, part }) =>
        accountsNamed(client, walletId, name, part),
      ),
    ),
  );
  const found = [...ofWallets.flat(), ...privateKeys.flatMap((key) => signersOfKey(key, word))];
  if (found.length > 0) return found;
  const named = looksLikeAddress(word) ? await accountWithAddress(client, word) : undefined;
  if (named !== undefined) return [signerOf(named, named.address)];
  const names = [
    ...wallets.map(({ walletName }) => walletName),
    ...privateKeys.map(({ privateKeyName }) => privateKeyName),
  ];
  throw missing(word, names);
}

type PrivateKey = Queries['list_private_keys']['result']['privateKeys'][number];

/** Returns a signer for each address of the private key that the word names. */
function signersOfKey(key: PrivateKey, word: string): readonly Signer[] {
  const { privateKeyId, privateKeyName, addresses } = key;
  const { curve, publicKey } = key;
  const signers = addresses.map(({ address, format: addressFormat }) => ({
    signWith: address ?? privateKeyId,
    address,
    addressFormat,
    curve,
    publicKey,
    typed: `${privateKeyName}/${kindOf(addressFormat ?? '')}`,
  }));
  const none = { address: undefined, addressFormat: undefined, typed: privateKeyName };
  const all =
    signers.length === 0 ? [{ signWith: privateKeyId, curve, publicKey, ...none }] : signers;
  const below = partsBelow(word, [privateKeyId, privateKeyName]).flatMap(({ part }) =>
    part === '' ? all : all.filter((signer) => isNamedBy(part, signer)),
  );
  return [...below, ...signers.filter(({ address }) => isSameAddress(address, word))];
}

function missing(word: string, names: readonly string[]): Failure {
  const [name = word] = word.split('/');
  const isPart = names.includes(name);
  const near = nearestName(name, names);
  return new Failure({
    exit: 'not_found',
    message: isPart
      ? `There is no account ${visible(word)}.`
      : `There is no wallet, address or private key ${visible(word)} in this organization.`,
    next:
      near === undefined || isPart
        ? `keywright wallet ${isPart ? `account list ${quoted(name)}` : 'list'}`
        : `Did you mean ${visible(near)}?`,
  });
}

/** Returns the accounts of a wallet that match the part after its name. An empty part matches all. */
async function accountsNamed(
  client: Client,
  walletId: string,
  name: string,
  part: string,
): Promise<readonly Signer[]> {
  const accounts = await accountsOf(client, walletId);
  const meant = matchAccounts(accounts, part);
  return meant.map((account) => {
    const isOnlyOfKind =
      accounts.filter((other) => other.addressFormat === account.addressFormat).length === 1;
    return signerOf(
      account,
      `${name}/${isOnlyOfKind ? kindOf(account.addressFormat) : account.path}`,
    );
  });
}

const signerOf = (account: Account, typed: string): Signer => ({
  signWith: account.address,
  address: account.address,
  addressFormat: account.addressFormat,
  curve: account.curve,
  publicKey: account.publicKey ?? '',
  typed,
});

const isNamedBy = (part: string, { address, addressFormat = '' }: Signer): boolean =>
  isSameAddress(address, part) || isKind(part, addressFormat);

/** No address is shorter, so a name does not cause a search through all accounts. */
const looksLikeAddress = (word: string): boolean => /^[\w:-]{20,}$/.test(word);

function distinct(signers: readonly Signer[]): readonly Signer[] {
  const keyOf = ({ signWith, addressFormat }: Signer) => `${signWith} ${addressFormat}`;
  return [...new Map(signers.map((signer) => [keyOf(signer), signer])).values()];
}
