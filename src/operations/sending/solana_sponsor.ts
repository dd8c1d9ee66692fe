// The sponsor of a Solana transaction: the account that pays its fee, and the policies of that account.

import { hex } from '../../core/base/bytes.ts';
import { maximumFee } from '../../core/chains/solana/fee.ts';
import { solanaFormat } from '../../core/chains/solana/sign.ts';
import { sponsoredSolana } from '../../core/chains/solana/sponsored.ts';
import { failField } from '../../core/errors/errors.ts';
import { priceOfFee } from '../../core/sends/gas_usage.ts';
import { namedBlockhash } from '../../core/sends/solana_send.ts';
import type { InterfaceTexts } from '../../core/transactions/described.ts';
import { readTransaction, refusingUnreadable } from '../../core/transactions/kinds.ts';
import type { LoadServices } from '../services.ts';
import { transactionFacts } from '../signing/transactions.ts';
import type { SolanaSigner } from './solana_signers.ts';
import { type SponsorAccount, sponsorOf } from './sponsor.ts';

const type = 'TRANSACTION_TYPE_SOLANA';

type SolanaSponsor = SolanaSigner & {
  readonly sponsor: SponsorAccount;
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
  const sponsor = await sponsorOf(asked.caip2, type, services);
  const { found, account, named } = sponsor;
  const bytes = refusingUnreadable(() => {
    const transaction = solanaFormat.read(asked.unsigned, asked.signer.account);
    return sponsoredSolana(transaction, account.publicKey, namedBlockhash(asked.recentBlockhash));
  });
  const unsignedTransaction = hex(bytes);
  const described = readTransaction(type, unsignedTransaction, account);
  const fee = maximumFee(solanaFormat.read(bytes, account));
  if (fee === undefined) {
    return failField('parameters.unsignedTransaction', 'expected one budget of each kind at most');
  }
  const units = priceOfFee(fee, named, 'solana');
  const requireAllowed = (interfaces: InterfaceTexts) =>
    sponsor.requireAllowed(transactionFacts({ found, transaction: described, interfaces }));
  return { sponsor, found, account, units, unsignedTransaction, requireAllowed };
}
