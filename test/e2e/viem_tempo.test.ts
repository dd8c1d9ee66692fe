// @turnkey/viem with a chain of Tempo: viem serializes, the service signs, viem recovers the signer.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAccount } from '@turnkey/viem';
import { encodeFunctionData, parseAbi } from 'viem';
import { tempoModerato } from 'viem/chains';
import { Transaction } from 'viem/tempo';
import { accountParameters, asDeclared, createAddress, httpClient } from './clients.ts';
import { serviceOfThisFile } from './service.ts';

const service = await serviceOfThisFile();
const { organizationId } = service.credentials;
const signWith = await createAddress(service, 'tempo', accountParameters.ethereum);
const account = await createAccount({
  client: asDeclared(httpClient(service)),
  organizationId,
  signWith,
});

const token = '0x20C0000000000000000000000000000000000001' as const;
const receiver = '0xf3D4C04D42f9956c1F303B85bF9A7792B7cCd8CA' as const;
const transfer = (amount: bigint) => ({
  to: token,
  data: encodeFunctionData({
    abi: parseAbi(['function transfer(address to, uint256 amount)']),
    args: [receiver, amount],
  }),
});
const plain = {
  type: 'tempo',
  chainId: tempoModerato.id,
  calls: [transfer(1_000_000n)],
  gas: 120_000n,
  maxFeePerGas: 20_000_000_000n,
  maxPriorityFeePerGas: 1_000_000_000n,
  nonce: 3,
} as const;

type Members = Parameters<typeof Transaction.serialize>[0];
type Changes = Partial<Transaction.TransactionSerializableTempo> & { readonly feePayer?: true };

const signed: Readonly<Record<string, Changes>> = {
  'one call': {},
  'three calls': { calls: [transfer(1n), transfer(2n), transfer(3n)] },
  'a creation': { calls: [{ data: '0x6000' }] },
  'a fee token': { feeToken: token },
  'a time of validity': { validAfter: 1_900_000_000, validBefore: 1_900_000_600 },
  'another lane of the nonce': { nonceKey: 7n, nonce: 0 },
  'another who pays the fee': { feePayer: true },
  'another who pays the fee, and a fee token': { feePayer: true, feeToken: token },
};

for (const [what, changes] of Object.entries(signed)) {
  test(`${what}: the serialization of viem is signed`, async () => {
    const transaction = { ...plain, ...changes } as Members;
    const signedBytes = await sign(transaction);
    const read = Transaction.deserialize(signedBytes);
    assert.ok('signature' in read && read.signature?.type === 'secp256k1');
    // ox recovers the signer from its own signed payload.
    assert.equal(read.from?.toLowerCase(), signWith.toLowerCase());
    const { r, s, yParity } = read.signature.signature;
    const unsigned = await Transaction.serialize(transaction);
    assert.equal(signedBytes.slice(-130), `${hexOf(r)}${hexOf(s)}${yParity === 0 ? '1b' : '1c'}`);
    const { signature: _, from: __, ...members } = read;
    assert.equal(await Transaction.serialize(members as Members), unsigned);
  });
}

const refused: Readonly<Record<string, readonly [Changes, string]>> = {
  'a call with a value': [{ calls: [{ to: token, value: 5n }] }, 'calls\\[0\\].value'],
  'an access list': [{ accessList: [{ address: token, storageKeys: [] }] }, 'accessList'],
};

for (const [what, [changes, place]] of Object.entries(refused)) {
  test(`${what}: refused, because policies cannot read it`, async () => {
    await assert.rejects(sign({ ...plain, ...changes } as Members), {
      message: new RegExp(`Turnkey error 3: failed to parse transaction.*${place}`),
    });
  });
}

function sign(transaction: Members): Promise<`0x76${string}`> {
  // The package declares only the serializers of Ethereum.
  return account.signTransaction(transaction as never, {
    serializer: tempoModerato.serializers.transaction as never,
  }) as Promise<`0x76${string}`>;
}

function hexOf(value: bigint): string {
  return value.toString(16).padStart(64, '0');
}
