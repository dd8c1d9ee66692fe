import assert from 'node:assert/strict';
import {
  Keypair,
  PublicKey,
  SystemProgram,
  type TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import type { Sender, TestService } from '../../support/harness.ts';

export const solanaType = 'ACTIVITY_TYPE_SOL_SEND_TRANSACTION_V2';
/** The Solana chain of test services. */
export const solanaChain = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp';
/** The recipient of payments. */
export const payee = new PublicKey(new Uint8Array(32).fill(7));
export const blockhash = new PublicKey(new Uint8Array(32).fill(9)).toBase58();

export const pays = (from: PublicKey, lamports = 1): TransactionInstruction =>
  SystemProgram.transfer({ fromPubkey: from, toPubkey: payee, lamports });

/** Returns a version 0 transaction; the first signer pays the fee. */
export function transactionOf(
  payer: PublicKey,
  instructions: readonly TransactionInstruction[],
  recentBlockhash = blockhash,
): VersionedTransaction {
  const message = new TransactionMessage({
    payerKey: payer,
    recentBlockhash,
    instructions: [...instructions],
  });
  return new VersionedTransaction(message.compileToV0Message());
}

export const hexOf = (transaction: VersionedTransaction): string =>
  Buffer.from(transaction.serialize()).toString('hex');

/** Returns a payment of 1 lamport by accounts of the service; the first account pays the fee. */
export function describedSolanaSend(addresses: readonly string[], changes: object = {}) {
  const [payer, ...others] = addresses.map((address) => new PublicKey(address));
  assert(payer !== undefined);
  const instructions = [payer, ...others].map((from) => pays(from));
  return {
    unsignedTransaction: hexOf(transactionOf(payer, instructions)),
    signWiths: addresses,
    caip2: solanaChain,
    ...changes,
  };
}

/** Creates a wallet with Solana accounts as the root user; returns their addresses. */
export async function makeSolanaAccounts(
  service: TestService,
  { count = 1, as = {} }: { readonly count?: number; readonly as?: Sender } = {},
): Promise<string[]> {
  const accounts = Array.from({ length: count }, (_, i) => ({
    curve: 'CURVE_ED25519',
    pathFormat: 'PATH_FORMAT_BIP32',
    path: `m/44'/501'/${i}'/0'`,
    addressFormat: 'ADDRESS_FORMAT_SOLANA',
  }));
  const parameters = { walletName: `Solana ${Keypair.generate().publicKey}`, accounts };
  const type = 'ACTIVITY_TYPE_CREATE_WALLET';
  const { status, body } = await service.submit('create_wallet', type, parameters, as);
  assert.equal(status, 200, JSON.stringify(body));
  return body.activity.result.createWalletResult.addresses;
}

/** Sends as the root user; returns the id of the status. */
export async function startSolanaSend(
  service: TestService,
  parameters: object,
  as: Sender = {},
): Promise<string> {
  const sent = await service.submit('sol_send_transaction', solanaType, parameters, as);
  assert.equal(sent.status, 200, JSON.stringify(sent.body));
  return sent.body.activity.result.solSendTransactionResultV2.sendTransactionStatusId;
}

/** Returns the transactions that the gateway should send. */
export async function unsettledOfSolana(service: TestService) {
  return await service.enclave.unsettledSends({ caip2: solanaChain });
}

type Told = NonNullable<Parameters<TestService['enclave']['sendSeen']>[0]['solana']>;
type Inclusion = Omit<NonNullable<Told['inclusion']>, 'signature'> & {
  readonly signature?: string;
};
type Seen = Omit<Told, 'inclusion'> & { readonly inclusion: Inclusion | undefined };

/** Reports to the enclave the state of a transaction on its node. */
export async function tellOfSolana(
  service: TestService,
  sendId: string,
  seen: Partial<Seen>,
): Promise<void> {
  const { organizationId } = service.root;
  const { inclusion, ...rest } = seen;
  const solana = {
    slot: 2_000,
    isTaken: false,
    end: undefined,
    ...rest,
    inclusion: inclusion && { signature: undefined, ...inclusion },
  };
  const named = { organizationId, sendId, confirmations: 32, ethereum: undefined };
  await service.enclave.sendSeen({ ...named, solana });
}
