import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashAuthorization, SigningKey, Transaction } from 'ethers';
import { ethereumAccount } from '../../../src/core/address/ethereum.ts';
import { readSignedEthereum } from '../../../src/core/chains/ethereum/read_signed.ts';
import { noncesOf } from '../../../src/core/transactions/ethereum/facts.ts';
import { vectorBytes } from '../../support/transaction_vectors.ts';

const own = `0x${'0a'.repeat(32)}`;
const other = `0x${'0b'.repeat(32)}`;
const address = `0x${'12'.repeat(20)}`;

/** Returns the number of nonces that a transaction with nonce 5 on chain 1 uses. */
function used(authorizations: readonly { chainId: number; nonce: number; key: string }[]): number {
  const transaction = Transaction.from({
    type: 4,
    chainId: 1,
    nonce: 5,
    to: address,
    gasLimit: 100_000,
    maxFeePerGas: 2,
    maxPriorityFeePerGas: 1,
    authorizationList: authorizations.map(({ key, ...rest }) => {
      const authorization = { address, chainId: BigInt(rest.chainId), nonce: BigInt(rest.nonce) };
      const signature = new SigningKey(key).sign(hashAuthorization(authorization));
      return { ...authorization, signature };
    }),
  });
  transaction.signature = new SigningKey(own).sign(transaction.unsignedHash);
  const read = readSignedEthereum(vectorBytes(transaction.serialized.slice(2)));
  return noncesOf(read.transaction, ethereumAccount(read.publicKey, 'CURVE_SECP256K1'));
}

test('a transaction uses a nonce for each consecutive authorization of its sender', () => {
  assert.equal(used([{ chainId: 1, nonce: 6, key: own }]), 2);
  assert.equal(used([{ chainId: 0, nonce: 6, key: own }]), 2, 'one for every chain');
  assert.equal(used([6, 7].map((nonce) => ({ chainId: 1, nonce, key: own }))), 3);
  assert.equal(used([{ chainId: 1, nonce: 6, key: other }]), 1, 'of somebody else');
  assert.equal(used([{ chainId: 2, nonce: 6, key: own }]), 1, 'for another chain');
  assert.equal(used([{ chainId: 1, nonce: 5, key: own }]), 1, 'too early');
});
