// The signing accounts of a Solana transaction: their facts for policies, and their signatures.

import { solanaFormat } from '../../core/chains/solana/sign.ts';
import type { SolanaTransaction } from '../../core/chains/solana/transaction.ts';
import { assert, failField } from '../../core/errors/errors.ts';
import type { Keyring, RawSignature } from '../../core/keys/keyring.ts';
import type { OrganizationView } from '../../core/organization/state.ts';
import type { Facts } from '../../core/policy/decision/access.ts';
import { isUuid } from '../../core/schema/formats.ts';
import { requireSendRoom } from '../../core/sends/nonces.ts';
import { storedLength } from '../../core/sends/solana_send.ts';
import type { InterfaceTexts } from '../../core/transactions/described.ts';
import type { ReadTransaction } from '../../core/transactions/kinds.ts';
import type { Reader } from '../reader.ts';
import { type OrderInput, signExternally } from '../signing/external_keys.ts';
import { type FoundKey, findSigningKey } from '../signing/signing_key.ts';
import {
  accountThatSigns,
  type TransactionAccount,
  transactionFacts,
} from '../signing/transactions.ts';
import { requireFee, type SponsoredFee } from './sponsor.ts';

export type SolanaSigner = { readonly found: FoundKey; readonly account: TransactionAccount };
/** At least one. */
type SolanaSigners = readonly [SolanaSigner, ...SolanaSigner[]];

/**
 * Returns the accounts in a request. Raises `signing_resource_not_found`, `transaction_invalid`, and
 * `field_invalid` for a repeated account.
 */
export async function solanaSigners(
  signWiths: readonly string[],
  organization: OrganizationView,
  read: Reader,
): Promise<SolanaSigners> {
  const signers: SolanaSigner[] = [];
  for (const [i, signWith] of signWiths.entries()) {
    const field = `parameters.signWiths.${i}`;
    if (isUuid(signWith)) failField(field, 'expected an address, got the id of a key');
    const found = await findSigningKey(signWith, organization, read);
    const account = accountThatSigns('TRANSACTION_TYPE_SOLANA', found);
    if (signers.some((each) => each.account.address === account.address)) {
      failField(field, 'expected each account once');
    }
    signers.push({ found, account });
  }
  const [first, ...others] = signers;
  assert(first !== undefined, 'the schema requires a signer');
  return [first, ...others];
}

/**
 * Returns the facts that policies read. Several signers have a part each, and a policy has to allow every
 * part. The transfers of the transaction count once.
 */
export function factsOfSigners({
  signers,
  transaction,
  interfaces,
}: {
  readonly signers: SolanaSigners;
  readonly transaction: ReadTransaction;
  readonly interfaces: InterfaceTexts;
}): Facts {
  const [{ found }, ...others] = signers;
  const { parts = [], ...signer } = transactionFacts({ found, transaction, interfaces });
  if (others.length === 0) return { ...signer, parts };
  const [part] = parts;
  const { moves: _moves, ...seen } = part ?? {};
  return {
    parts: [
      { ...part, signer },
      ...others.map((other) => ({ ...seen, signer: other.found.facts })),
    ],
  };
}

/** Signatures of external keys, by address. */
type ExternalSignatures = ReadonlyMap<string, readonly RawSignature[]>;

type SolanaOrder = {
  readonly caip2: string;
  readonly unsigned: Uint8Array;
  readonly signers: SolanaSigners;
  readonly sponsor: SponsoredFee | undefined;
};

/**
 * Orders the signatures of the external keys among the signers. Returns undefined if this service holds all
 * keys. Raises `external_signer_unavailable`, and the errors of limits.
 */
export function externalSignatures(
  order: SolanaOrder,
  input: OrderInput,
): Promise<ExternalSignatures> | undefined {
  const isOwn = order.signers.every(({ found }) => found.external === undefined);
  return isOwn ? undefined : ordered(order, input);
}

async function ordered(
  { caip2, unsigned, signers, sponsor }: SolanaOrder,
  input: OrderInput,
): Promise<ExternalSignatures> {
  if (sponsor !== undefined) requireFee(sponsor, input);
  const { address } = signers[0].account;
  // The unsigned transaction has places for all signatures.
  const size = { characters: storedLength(unsigned), userId: input.submitter.id };
  requireSendRoom(input.organization, { caip2, address }, [size]);
  const all = signers.map(async ({ found, account }) => {
    if (found.external === undefined) return [];
    const signedBytes = solanaFormat.signedBytes(solanaFormat.read(unsigned, account));
    const signatures = await signExternally(found.external, signedBytes, input);
    return [[account.address, signatures] as const];
  });
  return new Map((await Promise.all(all)).flat());
}

/** Returns the transaction with the signatures of all signers; everything else is unchanged. */
export function withSignatures(
  unsigned: Uint8Array,
  signers: SolanaSigners,
  keyring: Pick<Keyring, 'signAll'>,
  external: ExternalSignatures = new Map(),
): SolanaTransaction {
  const [first, ...others] = signers;
  const signedBy = (bytes: Uint8Array, { found, account }: SolanaSigner): Uint8Array => {
    const transaction = solanaFormat.read(bytes, account);
    const signedBytes = solanaFormat.signedBytes(transaction);
    const signatures =
      external.get(account.address) ?? keyring.signAll(found.key, account.scheme, signedBytes);
    return solanaFormat.attach(transaction, signatures);
  };
  const signed = others.reduce(signedBy, signedBy(unsigned, first));
  return solanaFormat.read(signed, first.account);
}
