// @turnkey/cosmjs: the signature of a Cosmos transaction document.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { TurnkeyDirectWallet } from '@turnkey/cosmjs';
import {
  accountParameters,
  asDeclared,
  createPrivateKey,
  createWallet,
  httpClient,
  serverClient,
} from './clients.ts';
import { serviceOfThisFile } from './service.ts';

const service = await serviceOfThisFile();
const { organizationId } = service.credentials;
const { cosmos, uncompressed } = accountParameters;
const sameKey = { ...uncompressed, path: cosmos.path } as const;
const { addresses } = await createWallet(service, 'Cosmos', [cosmos, uncompressed, sameKey]);
const [cosmosAddress = '', publicKey = '', samePublicKey = ''] = addresses;
const privateKeyId = await createPrivateKey(service, 'Cosmos', 'ADDRESS_FORMAT_UNCOMPRESSED');

const document = {
  bodyBytes: Uint8Array.of(1, 2, 3),
  authInfoBytes: Uint8Array.of(4, 5),
  chainId: 'test-1',
  accountNumber: 7n,
};

test('the address equals that of the service for the same key', async () => {
  const wallet = await TurnkeyDirectWallet.init({
    config: { client: asDeclared(httpClient(service)), organizationId, signWith: samePublicKey },
  });
  const [account] = await wallet.getAccounts();
  assert.equal(account?.address, cosmosAddress);
});

for (const [what, signWith] of [
  ['an uncompressed public key', publicKey],
  ['the id of a private key', privateKeyId],
] as const) {
  test(`a document is signed with ${what}, by @turnkey/sdk-server`, async () => {
    const client: Config['client'] = asDeclared(serverClient(service));
    const { signature, key, signed } = await sign({ client, organizationId, signWith });
    assert(secp256k1.verify(signature, sha256(documentBytes(signed)), key, { prehash: false }));
  });

  // With the plain client, the package requests a signature over the hash of a hash.
  test(`the hash of a document is signed with ${what}, by @turnkey/http`, async () => {
    const client: Config['client'] = asDeclared(httpClient(service));
    const { signature, key, signed } = await sign({ client, organizationId, signWith });
    const digest = sha256(sha256(documentBytes(signed)));
    assert(secp256k1.verify(signature, digest, key, { prehash: false }));
  });
}

type Config = Parameters<typeof TurnkeyDirectWallet.init>[0]['config'];

/**
 * Signs a document. In 1 % of the cases, r or s begins with a zero byte and the package throws. Signs
 * the next document then.
 */
async function sign(config: Config) {
  const wallet = await TurnkeyDirectWallet.init({ config });
  const [account] = await wallet.getAccounts();
  assert(account !== undefined);
  for (let accountNumber = document.accountNumber; ; accountNumber += 1n) {
    assert(accountNumber < document.accountNumber + 5n, 'no five signatures in a row begin so');
    const signed = { ...document, accountNumber };
    try {
      const { signature } = await wallet.signDirect(account.address, signed);
      assert.equal(signature.pub_key.value, Buffer.from(account.pubkey).toString('base64'));
      return { signature: Buffer.from(signature.signature, 'base64'), key: account.pubkey, signed };
    } catch (error) {
      if (!(error instanceof Error && /unpadded big endian/.test(error.message))) throw error;
    }
  }
}

/** Encodes the document as Protocol Buffers. Every field is shorter than 128 bytes. */
function documentBytes({ accountNumber }: { accountNumber: bigint }): Uint8Array {
  const chainId = Buffer.from(document.chainId);
  return Uint8Array.from([
    ...[0x0a, document.bodyBytes.length, ...document.bodyBytes],
    ...[0x12, document.authInfoBytes.length, ...document.authInfoBytes],
    ...[0x1a, chainId.length, ...chainId],
    ...[0x20, Number(accountNumber)],
  ]);
}

function sha256(bytes: Uint8Array): Uint8Array {
  return createHash('sha256').update(bytes).digest();
}
