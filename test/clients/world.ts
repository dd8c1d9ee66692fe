// The users of the examiners: a root user with a key of each scheme, and two users whom a policy lets sign
// together.

import { createECDH, generateKeyPairSync } from 'node:crypto';
import { serializeTransaction } from 'viem';
import { newApiKey, serverClient } from '../e2e/clients.ts';
import type { RunningService } from '../e2e/service.ts';
import type { Key, Question } from './question.ts';

/** The transaction that every examiner signs. */
export const transaction = {
  type: 'eip1559',
  chainId: 1,
  nonce: 7,
  to: '0x08d2b0a37f869ff76bacb5bab3278e26ab7067b7',
  value: 1_000_000_000_000_000_000n,
  gas: 21_000n,
  maxFeePerGas: 30_000_000_000n,
  maxPriorityFeePerGas: 1_000_000_000n,
} as const;

/**
 * Creates users, keys and the policy. Returns the question to an examiner, except for the name of the
 * wallet.
 */
export async function peopleOf(service: RunningService): Promise<Omit<Question, 'walletName'>> {
  const { organizationId, userId, apiPublicKey, apiPrivateKey } = service.credentials;
  const client = serverClient(service);
  const [rootSecp256k1, rootEd25519] = [secp256k1Key(), ed25519Key()];
  await client.createApiKeys({
    userId,
    apiKeys: [
      apiKey('secp256k1', 'API_KEY_CURVE_SECP256K1', rootSecp256k1),
      apiKey('ed25519', 'API_KEY_CURVE_ED25519', rootEd25519),
    ],
  });
  const { importBundle } = await client.initImportWallet({ userId });
  const { enclaveQuorumPublic: signerKey } = JSON.parse(importBundle);
  const [alice, bob] = [p256Key(), p256Key()];
  await client.createUsers({
    users: Object.entries({ Alice: alice, Bob: bob }).map(([userName, key]) => ({
      userName,
      apiKeys: [apiKey(userName, 'API_KEY_CURVE_P256', key)],
      authenticators: [],
      oauthProviders: [],
      userTags: [],
    })),
  });
  await client.createPolicy({
    policyName: 'Two users sign together',
    effect: 'EFFECT_ALLOW',
    condition: "activity.action == 'SIGN'",
    consensus: 'approvers.count() >= 2',
    notes: '',
  });
  return {
    baseUrl: service.baseUrl,
    organizationId,
    root: { publicKey: apiPublicKey, privateKey: apiPrivateKey },
    rootSecp256k1,
    rootEd25519,
    alice,
    bob,
    stranger: p256Key(),
    signerKey,
    // The stamp covers the spaces, too.
    body: `{ "organizationId": "${organizationId}" }`,
    digest: '5e'.repeat(32),
    unsignedTransaction: serializeTransaction(transaction).slice(2),
  };
}

function apiKey<Curve extends string>(apiKeyName: string, curveType: Curve, { publicKey }: Key) {
  return { apiKeyName, publicKey, curveType };
}

function p256Key(): Key {
  const { apiPublicKey, apiPrivateKey } = newApiKey();
  return { publicKey: apiPublicKey, privateKey: apiPrivateKey };
}

function secp256k1Key(): Key {
  const pair = createECDH('secp256k1');
  const publicKey = pair.generateKeys('hex', 'compressed');
  return { publicKey, privateKey: pair.getPrivateKey('hex').padStart(64, '0') };
}

function ed25519Key(): Key {
  const { x = '', d = '' } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  const [publicKey, seed] = [x, d].map((text) => Buffer.from(text, 'base64url').toString('hex'));
  return { publicKey: `${publicKey}`, privateKey: `${seed}${publicKey}` };
}
