// @turnkey/wallet-stamper: Ethereum and Solana wallets as API keys.

import assert from 'node:assert/strict';
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { before, test } from 'node:test';
import { TurnkeyClient } from '@turnkey/http';
import { type WalletInterface, WalletStamper, WalletType } from '@turnkey/wallet-stamper';
import type { Hex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { httpClient, isRefusal, timestampMs, walletBody } from './clients.ts';
import { serviceOfThisFile } from './service.ts';

const service = await serviceOfThisFile();
const { organizationId, userId } = service.credentials;
const ethereumAccount = privateKeyToAccount(generatePrivateKey());
const solanaKeys = generateKeyPairSync('ed25519');

const ethereum: WalletInterface = {
  type: WalletType.Ethereum,
  signMessage: (message) => ethereumAccount.signMessage({ message }),
  getPublicKey: () => Promise.resolve(compressed(ethereumAccount.publicKey)),
};
const solana: WalletInterface = {
  type: WalletType.Solana,
  signMessage: (message) => Promise.resolve(signEd25519(message, solanaKeys.privateKey)),
  getPublicKey: () => Promise.resolve(rawPublicKey(solanaKeys.publicKey)),
};

// AUTH-09
before(async () => {
  for (const [wallet, curveType] of [
    [ethereum, 'API_KEY_CURVE_SECP256K1'],
    [solana, 'API_KEY_CURVE_ED25519'],
  ] as const) {
    await httpClient(service).createApiKeys({
      type: 'ACTIVITY_TYPE_CREATE_API_KEYS_V2',
      timestampMs: timestampMs(),
      organizationId,
      parameters: {
        userId,
        apiKeys: [
          {
            apiKeyName: `${wallet.type} wallet`,
            publicKey: await wallet.getPublicKey(),
            curveType,
          },
        ],
      },
    });
  }
});

for (const wallet of [ethereum, solana]) {
  test(`a key of ${wallet.type} reads and submits`, async () => {
    const client = clientOf(wallet);
    assert.equal((await client.getWhoami({ organizationId })).userId, userId);
    const { activity } = await client.createWallet(walletBody(service, `By ${wallet.type}`, []));
    assert.equal(activity.status, 'ACTIVITY_STATUS_COMPLETED');
  });
}

test('a wallet that is not registered as an API key is refused', async () => {
  const stranger = privateKeyToAccount(generatePrivateKey());
  const client = clientOf({
    type: WalletType.Ethereum,
    signMessage: (message) => stranger.signMessage({ message }),
    getPublicKey: () => Promise.resolve(compressed(stranger.publicKey)),
  });
  await assert.rejects(client.getWhoami({ organizationId }), isRefusal(16, 'PUBLIC_KEY_NOT_FOUND'));
});

test('a signature of another message is refused', async () => {
  const client = clientOf({
    ...solana,
    type: WalletType.Solana,
    signMessage: (message) => solana.signMessage(`${message} `),
  });
  await assert.rejects(client.getWhoami({ organizationId }), isRefusal(16, 'SIGNATURE_INVALID'));
});

// The package writes such numbers with zero bytes, which strict DER omits.
for (const [part, start] of [
  ['r', 2],
  ['s', 66],
] as const) {
  test(`a signature whose ${part} begins with a zero byte is accepted`, async () => {
    const body = await bodySigned((signature) => {
      const [first, next] = Buffer.from(signature.slice(start, start + 4), 'hex');
      return first === 0 && next !== undefined && next < 0x80;
    });
    const stamp = await new WalletStamper(ethereum).stamp(body);
    const response = await fetch(`${service.baseUrl}/public/v1/query/whoami`, {
      method: 'POST',
      headers: { [stamp.stampHeaderName]: stamp.stampHeaderValue },
      body,
    });
    assert.equal(response.status, 200, await response.text());
  });
}

/** Returns a whoami body with white space that gives a signature of the requested kind. */
async function bodySigned(isWanted: (signature: Hex) => boolean): Promise<string> {
  // About one in 300 signatures is of this kind, so these bodies suffice.
  for (let i = 0; i < 2 ** 14; i += 1) {
    const space = i.toString(2).padStart(14, '0').replaceAll('0', ' ').replaceAll('1', '\t');
    const body = `{"organizationId":"${organizationId}"${space}}`;
    if (isWanted(await ethereumAccount.signMessage({ message: body }))) return body;
  }
  throw new Error('no signature of the wanted kind was found');
}

function clientOf(wallet: WalletInterface): TurnkeyClient {
  return new TurnkeyClient({ baseUrl: service.baseUrl }, new WalletStamper(wallet));
}

function compressed(uncompressedPublicKey: Hex): string {
  const bytes = Buffer.from(uncompressedPublicKey.slice(4), 'hex');
  const isOdd = (bytes.at(-1) ?? 0) % 2 === 1;
  return `${isOdd ? '03' : '02'}${bytes.toString('hex', 0, 32)}`;
}

function signEd25519(message: string, key: KeyObject): string {
  return sign(null, Buffer.from(message), key).toString('hex');
}

function rawPublicKey(key: KeyObject): string {
  const { x } = key.export({ format: 'jwk' });
  return Buffer.from(x ?? '', 'base64url').toString('hex');
}
