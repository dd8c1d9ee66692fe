// The sponsor of a Solana transaction: the account that pays its fee, and the policies of that account.

import { hex } from '../../core/base/bytes.ts';
import type { Context } from '../../core/base/context.ts';
import { maximumFee } from '../../core/chains/solana/fee.ts';
import { solanaFormat } from '../../core/chains/solana/sign.ts';
import { sponsoredSolana } from '../../core/chains/solana/sponsored.ts';
import { assert, fail, failField } from '../../core/errors/errors.ts';
import type { Keyring } from '../../core/keys/keyring.ts';
import type { GasUsageConfig } from '../../core/organization/records/gas_usage.ts';
import type { TransactionExplanation } from '../../core/organization/records/transaction_explanation.ts';
import type { OrganizationDraft, OrganizationState } from '../../core/organization/state.ts';
import { countSponsored, gasUsageConfigOf, priceOfFee } from '../../core/sends/gas_usage.ts';
import { namedBlockhash } from '../../core/sends/solana_send.ts';
import type { InterfaceTexts } from '../../core/transactions/described.ts';
import { readTransaction, refusingUnreadable } from '../../core/transactions/kinds.ts';
import type { LoadServices } from '../services.ts';
import { findSigningKey } from '../signing/signing_key.ts';
import { accountThatSigns, transactionFacts } from '../signing/transactions.ts';
import type { SolanaSigner } from './solana_signers.ts';

const type = 'TRANSACTION_TYPE_SOLANA';

export type SolanaSponsor = SolanaSigner & {
  readonly state: OrganizationState;
  readonly keyring: Keyring;
  readonly config: GasUsageConfig;
  /** The maximum fee in billionths of a dollar. */
  readonly units: bigint;
  /** The transaction to sign, in hex. */
  readonly unsignedTransaction: string;
  /** Raises `sponsor_refused` unless the policies of the sponsor allow it to pay. */
  readonly requireAllowed: (interfaces: InterfaceTexts) => Promise<void>;
};

/**
 * Returns the sponsor of a transaction, and the sponsored transaction. Raises `sponsor_not_configured`,
 * `signing_resource_not_found`, `field_invalid` and `transaction_invalid`.
 */
export async function solanaSponsor(
  asked: {
    readonly caip2: string;
    readonly unsigned: Uint8Array;
    readonly recentBlockhash: string | undefined;
    readonly signer: SolanaSigner;
  },
  services: Pick<LoadServices, 'sponsoring'>,
): Promise<SolanaSponsor> {
  const { caip2 } = asked;
  const { state, organization, read, keyring, allows } = await services.sponsoring();
  const config = gasUsageConfigOf(organization);
  const named = config?.sponsors.find((sponsor) => sponsor.caip2 === caip2);
  const organizationId = organization.id;
  if (config?.isEnabled !== true || named === undefined) {
    return fail('sponsor_not_configured', { organizationId, caip2 });
  }
  const found = await findSigningKey(named.address, organization, read);
  const account = accountThatSigns(type, found);
  const { address, publicKey } = account;
  const bytes = refusingUnreadable(() => {
    const transaction = solanaFormat.read(asked.unsigned, asked.signer.account);
    return sponsoredSolana(transaction, publicKey, namedBlockhash(asked.recentBlockhash));
  });
  const unsignedTransaction = hex(bytes);
  const described = readTransaction(type, unsignedTransaction, account);
  const fee = maximumFee(solanaFormat.read(bytes, account));
  if (fee === undefined) {
    return failField('parameters.unsignedTransaction', 'expected one budget of each kind at most');
  }
  const units = priceOfFee(fee, named, 'solana');
  const requireAllowed = async (interfaces: InterfaceTexts) => {
    const facts = transactionFacts({ found, transaction: described, interfaces });
    const isAllowed = await allows({ resource: 'SPONSORSHIP', action: 'SIGN' }, facts);
    if (!isAllowed) fail('sponsor_refused', { organizationId, address });
  };
  return { state, keyring, config, found, account, units, unsignedTransaction, requireAllowed };
}

/** Counts the fee of the sponsor. Raises `sponsor_limit_exceeded`. */
export function countFee(
  { state, config, units }: SolanaSponsor,
  sending: OrganizationDraft,
  {
    userId,
    changeSponsor,
  }: {
    readonly userId: string;
    readonly changeSponsor: (state: OrganizationState) => OrganizationDraft;
  },
  context: Context,
): void {
  const drafts = { sending, sponsoring: changeSponsor(state) };
  countSponsored({ units, userId }, drafts, config, context);
}

/** Adds the sponsor to the explanation of a transaction. */
export function withSponsor(
  explanation: TransactionExplanation,
  { state, account }: SolanaSponsor,
): TransactionExplanation {
  const { fee } = explanation;
  assert(fee !== undefined, 'a sponsored transaction states its fee');
  const text = `${fee.text} ${account.address} is the sponsor of organization ${state.id}.`;
  return { ...explanation, fee: { ...fee, text } };
}
