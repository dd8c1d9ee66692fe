import assert from 'node:assert/strict';
import { SigningKey, Transaction, type TransactionLike } from 'ethers';
import type { Sender, TestService } from '../../support/harness.ts';

export const sendType = 'ACTIVITY_TYPE_ETH_SEND_TRANSACTION_V2';
/** The Ethereum chain of test services. */
export const sendChain = 'eip155:1';
export const recipient = `0x${'12'.repeat(20)}`;

/** A payment of 1 wei that was signed elsewhere, in hex with `0x`; legacy transactions have type 0. */
export function foreignTransaction(
  changes: TransactionLike = {},
  key = `0x${'0a'.repeat(32)}`,
): string {
  const isNew = (changes.type ?? 2) !== 0 && (changes.type ?? 2) !== 1;
  const fees = isNew ? { maxFeePerGas: 100, maxPriorityFeePerGas: 10 } : { gasPrice: 100 };
  const transaction = Transaction.from({
    type: 2,
    chainId: 1,
    nonce: 0,
    gasLimit: 21_000,
    to: recipient,
    value: 1,
    ...fees,
    ...changes,
  });
  transaction.signature = new SigningKey(key).sign(transaction.unsignedHash);
  return transaction.serialized;
}

/** Returns a payment of 1 wei. */
export const describedSend = (from: string, changes: object = {}) => ({
  from,
  caip2: sendChain,
  calls: [{ to: recipient, value: '1' }],
  ...changes,
});

/** Creates a wallet with one Ethereum account as the root user; returns its address. */
export async function makeSender(
  service: TestService,
  as: Sender = {},
  walletName = 'Sends',
): Promise<string> {
  const { status, body } = await service.submit(
    'create_wallet',
    'ACTIVITY_TYPE_CREATE_WALLET',
    {
      walletName,
      accounts: [
        {
          curve: 'CURVE_SECP256K1',
          pathFormat: 'PATH_FORMAT_BIP32',
          path: "m/44'/60'/0'/0/0",
          addressFormat: 'ADDRESS_FORMAT_ETHEREUM',
        },
      ],
    },
    as,
  );
  assert.equal(status, 200, JSON.stringify(body));
  return body.activity.result.createWalletResult.addresses[0];
}

/** Sends a payment as the root user; returns the id of its status. */
export async function startSend(
  service: TestService,
  from: string,
  as: Sender = {},
  changes: object = {},
): Promise<string> {
  const parameters = describedSend(from, changes);
  const { status, body } = await service.submit('eth_send_transaction', sendType, parameters, as);
  assert.equal(status, 200, JSON.stringify(body));
  return body.activity.result.ethSendTransactionResultV2.sendTransactionStatusId;
}

/** Returns the transactions that the gateway should send. */
export async function unsettled(service: TestService) {
  return await service.enclave.unsettledSends({ caip2: sendChain });
}

/** Reports to the enclave the state of a transaction on its node; the chain needs 3 confirmations. */
export async function tell(
  service: TestService,
  sendId: string,
  seen: {
    readonly usedAtFinal?: string;
    readonly inclusion?: {
      readonly number: number;
      readonly hash: string;
      readonly error?: string;
    };
    readonly newest?: number;
    readonly isTaken?: boolean;
  },
): Promise<void> {
  const { inclusion, usedAtFinal, newest = 0, isTaken = false } = seen;
  const { organizationId } = service.root;
  await service.enclave.sendSeen({
    organizationId,
    sendId,
    confirmations: 3,
    ethereum: {
      usedAtFinal,
      newest,
      isTaken,
      inclusion: inclusion && { error: undefined, ...inclusion },
    },
    solana: undefined,
  });
}
