// @turnkey/solana: Ed25519 signatures of messages and transactions, verified by web3.js and by Node.

import assert from 'node:assert/strict';
import { createPublicKey, verify } from 'node:crypto';
import { test } from 'node:test';
import {
  PublicKey,
  SystemProgram,
  Transaction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import { TurnkeySigner } from '@turnkey/solana';
import {
  accountParameters,
  asDeclared,
  createAddress,
  httpClient,
  serverClient,
} from './clients.ts';
import { serviceOfThisFile } from './service.ts';

const service = await serviceOfThisFile();
const { organizationId } = service.credentials;
const address = await createAddress(service, 'Solana', accountParameters.solana);
const payer = new PublicKey(address);
// Any 32 bytes can be the hash of a block.
const recentBlockhash = new PublicKey(new Uint8Array(32).fill(9)).toBase58();

const signers = {
  'by @turnkey/http': new TurnkeySigner({
    organizationId,
    client: asDeclared(httpClient(service)),
  }),
  'by @turnkey/sdk-server': new TurnkeySigner({
    organizationId,
    client: asDeclared(serverClient(service)),
  }),
};

for (const [how, signer] of Object.entries(signers)) {
  test(`a message is signed, ${how}`, async () => {
    for (const message of [new Uint8Array(0), Buffer.from('hello'), new Uint8Array(1000).fill(1)]) {
      const signature = await signer.signMessage(message, address);
      assert.equal(signature.length, 64);
      assert(isSigned(message, signature));
    }
  });

  test(`a signature is added to a transaction, ${how}`, async () => {
    const transaction = transfer(1);
    await signer.addSignature(transaction, address);
    assert(transaction.verifySignatures());
    assert.doesNotThrow(() => transaction.serialize());
  });

  test(`a signature is added to a versioned transaction, ${how}`, async () => {
    const transaction = versionedTransfer(1);
    await signer.addSignature(transaction, address);
    const [signature] = transaction.signatures;
    assert(signature !== undefined);
    assert(isSigned(transaction.message.serialize(), signature));
  });

  test(`several transactions are signed at once, ${how}`, async () => {
    const transactions = [transfer(1), transfer(2), transfer(3)];
    await signer.signAllTransactions(transactions, address, organizationId);
    for (const transaction of transactions) assert(transaction.verifySignatures());
  });
}

test('the signature of a message is deterministic', async () => {
  const message = Buffer.from('the same bytes');
  const [first, second] = [
    await signers['by @turnkey/http'].signMessage(message, address),
    await signers['by @turnkey/sdk-server'].signMessage(message, address),
  ];
  assert.deepEqual(first, second);
});

function transfer(lamports: number): Transaction {
  const transaction = new Transaction({ feePayer: payer, recentBlockhash });
  return transaction.add(transferInstruction(lamports));
}

function versionedTransfer(lamports: number): VersionedTransaction {
  const message = new TransactionMessage({
    payerKey: payer,
    recentBlockhash,
    instructions: [transferInstruction(lamports)],
  });
  return new VersionedTransaction(message.compileToV0Message());
}

function transferInstruction(lamports: number) {
  const toPubkey = new PublicKey(new Uint8Array(32).fill(5));
  return SystemProgram.transfer({ fromPubkey: payer, toPubkey, lamports });
}

function isSigned(message: Uint8Array, signature: Uint8Array): boolean {
  const x = Buffer.from(payer.toBytes()).toString('base64url');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  return verify(null, message, key, signature);
}
