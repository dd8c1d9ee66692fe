// Three typical programs from the descriptions of the public packages: a sub-organization with its wallet, a
// backend that signs together with a user who signs in by a code, and a delegated backend.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Keypair, PublicKey, SystemProgram, Transaction } from '@solana/web3.js';
import { decryptExportBundle, encryptOtpCodeToBundle, generateP256KeyPair } from '@turnkey/crypto';
import { TurnkeySigner as EthersSigner } from '@turnkey/ethers';
import {
  DEFAULT_ETHEREUM_ACCOUNTS,
  DEFAULT_SOLANA_ACCOUNTS,
  type TurnkeyServerClient,
} from '@turnkey/sdk-server';
import { TurnkeySigner as SolanaSigner } from '@turnkey/solana';
import { createAccount } from '@turnkey/viem';
import { verifyMessage, Wallet } from 'ethers';
import { type Hex, parseTransaction, recoverMessageAddress, serializeTransaction } from 'viem';
import { mnemonicToAccount } from 'viem/accounts';
import { plainTextOf, startMailServer } from '../support/mail_server.ts';
import { asDeclared, httpClient, newApiKey, serverClient, timestampMs } from './clients.ts';
import { serviceOfThisFile, until } from './service.ts';
import { loginUsage } from './token_usage.ts';

const mailServer = await startMailServer();
after(() => mailServer.close());
const service = await serviceOfThisFile({
  KEYWRIGHT_SMTP_URL: `smtp://127.0.0.1:${mailServer.port}`,
  KEYWRIGHT_EMAIL_FROM: 'keys@example.net',
});
const parent = serverClient(service);

async function codeTo(address: string): Promise<string> {
  const found = () => mailServer.mails.filter(({ to }) => to.includes(address));
  await until(`a mail to ${address}`, () => found().length > 0);
  const text = plainTextOf(found().at(-1) ?? assert.fail());
  return /^([0-9A-Z]{6,9})$/m.exec(text)?.[1] ?? assert.fail(text);
}

const signerOf = (bundle: string): string => JSON.parse(bundle).enclaveQuorumPublic;
const empty = { apiKeys: [], authenticators: [], oauthProviders: [] };

test('a sub-organization with a wallet signs for three chains and exports its wallet', async () => {
  const key = newApiKey();
  const made = await parent.createSubOrganization({
    subOrganizationName: 'sub-org',
    rootQuorumThreshold: 1,
    rootUsers: [
      {
        ...empty,
        userName: 'New user',
        userEmail: 'new@example.com',
        apiKeys: [
          { apiKeyName: 'key', publicKey: key.apiPublicKey, curveType: 'API_KEY_CURVE_P256' },
        ],
      },
    ],
    wallet: {
      walletName: 'Default Wallet',
      accounts: [...DEFAULT_ETHEREUM_ACCOUNTS, ...DEFAULT_SOLANA_ACCOUNTS],
    },
  });
  const { subOrganizationId: organizationId, wallet, rootUserIds } = made;
  assert.equal(rootUserIds?.length, 1);
  const [ethereum = '', solana = ''] = wallet?.addresses ?? [];
  const walletId = wallet?.walletId ?? '';
  const client = serverClient(service, { key, organizationId });

  const account = await createAccount({
    client: asDeclared(client),
    organizationId,
    signWith: ethereum,
    ethereumAddress: ethereum,
  });
  const signature = await account.signMessage({ message: 'hello' });
  assert.equal(await recoverMessageAddress({ message: 'hello', signature }), ethereum);
  const signed = await account.signTransaction({
    type: 'eip1559',
    chainId: 11_155_111,
    to: ethereum as Hex,
    value: 1n,
    nonce: 0,
    gas: 21_000n,
    maxFeePerGas: 2n,
    maxPriorityFeePerGas: 1n,
  });
  assert.equal(parseTransaction(signed).nonce, 0);

  const ethers = new EthersSigner({
    client: asDeclared(httpClient(service, key)),
    organizationId,
    signWith: ethereum,
  });
  assert.equal(verifyMessage('hello', await ethers.signMessage('hello')), ethereum);

  const signer = new SolanaSigner({ client: asDeclared(client), organizationId });
  const from = new PublicKey(solana);
  const transaction = new Transaction({
    feePayer: from,
    recentBlockhash: Keypair.generate().publicKey.toBase58(),
  }).add(SystemProgram.transfer({ fromPubkey: from, toPubkey: from, lamports: 1 }));
  await signer.addSignature(transaction, solana);
  assert(transaction.verifySignatures());

  const pair = generateP256KeyPair();
  const target = { targetPublicKey: pair.publicKeyUncompressed };
  const { exportBundle } = await client.exportWallet({ walletId, ...target });
  const opened = { embeddedKey: pair.privateKey, organizationId };
  const dangerouslyOverrideSignerPublicKey = signerOf(exportBundle);
  const mnemonic = await decryptExportBundle({
    exportBundle,
    ...opened,
    returnMnemonic: true,
    dangerouslyOverrideSignerPublicKey,
  });
  assert.equal(mnemonicToAccount(mnemonic).address, ethereum);
  const { exportBundle: ofAccount } = await client.exportWalletAccount({
    address: ethereum,
    ...target,
  });
  const privateKey = await decryptExportBundle({
    exportBundle: ofAccount,
    ...opened,
    returnMnemonic: false,
    dangerouslyOverrideSignerPublicKey,
  });
  assert.equal(new Wallet(privateKey).address, ethereum);
  const { wallets } = await client.getWallets();
  assert.deepEqual(
    wallets.map(({ exported }) => exported),
    [true],
  );
});

/** Signs a user in by a code in a mail, as a backend does. */
async function signIn(email: string, organizationId: string): Promise<TurnkeyServerClient> {
  const key = newApiKey();
  const { otpId, otpEncryptionTargetBundle } = await parent.initOtp({
    appName: 'Co-signing',
    otpType: 'OTP_TYPE_EMAIL',
    contact: email,
    userIdentifier: key.apiPublicKey,
  });
  const encryptedOtpBundle = await encryptOtpCodeToBundle(
    await codeTo(email),
    otpEncryptionTargetBundle,
    key.apiPublicKey,
    signerOf(otpEncryptionTargetBundle),
  );
  const { verificationToken } = await parent.verifyOtp({ otpId, encryptedOtpBundle });
  const { session } = await parent.otpLogin({
    organizationId,
    verificationToken,
    publicKey: key.apiPublicKey,
    clientSignature: loginUsage(verificationToken, key, key.apiPublicKey),
  });
  assert(session !== undefined);
  return serverClient(service, { key, organizationId });
}

test('a user with a code and a backend sign together, and each may submit', async () => {
  const email = 'cosigned@example.com';
  const backend = newApiKey();
  const found = () => parent.getSubOrgIds({ filterType: 'EMAIL', filterValue: email });
  assert.deepEqual((await found()).organizationIds, []);
  const { subOrganizationId: organizationId, wallet } = await parent.createSubOrganization({
    subOrganizationName: 'cosigned',
    rootQuorumThreshold: 2,
    rootUsers: [
      { ...empty, userName: 'end-user', userEmail: email },
      {
        ...empty,
        userName: 'backend-cosigner',
        apiKeys: [
          {
            apiKeyName: 'backend-cosigner-key',
            publicKey: backend.apiPublicKey,
            curveType: 'API_KEY_CURVE_P256',
          },
        ],
      },
    ],
    wallet: { walletName: 'Default Wallet', accounts: [...DEFAULT_ETHEREUM_ACCOUNTS] },
  });
  assert.deepEqual((await found()).organizationIds, [organizationId]);
  const user = await signIn(email, organizationId);
  const cosigner = serverClient(service, { key: backend, organizationId });
  const signWith = wallet?.addresses[0] ?? '';
  for (const [asks, approves] of [
    [cosigner, user],
    [user, cosigner],
  ] as const) {
    const message = `Hello at ${timestampMs()}`;
    const { activity } = await asks.signRawPayload({
      organizationId,
      signWith,
      payload: `0x${Buffer.from(message).toString('hex')}`,
      encoding: 'PAYLOAD_ENCODING_HEXADECIMAL',
      hashFunction: 'HASH_FUNCTION_SHA256',
    });
    assert.equal(activity.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED');
    const read = await approves.getActivity({ organizationId, activityId: activity.id });
    assert.equal(read.activity.votes.length, 1);
    const approved = await approves.approveActivity({ fingerprint: read.activity.fingerprint });
    const result = approved.activity.result.signRawPayloadResult;
    assert.match(`${result?.r}${result?.s}${result?.v}`, /^[0-9a-f]{128}0[01]$/);
    const { activity: done } = await asks.getActivity({ organizationId, activityId: activity.id });
    assert.equal(done.status, 'ACTIVITY_STATUS_COMPLETED');
  }
});

test('a delegated backend pays one address after it has left the root quorum', async () => {
  const email = 'owner@example.com';
  const backend = newApiKey();
  const {
    subOrganizationId: organizationId,
    rootUserIds,
    wallet,
  } = await parent.createSubOrganization({
    subOrganizationName: 'delegated',
    rootUsers: [
      {
        ...empty,
        userName: 'Delegated User',
        apiKeys: [
          {
            apiKeyName: 'Delegated - API Key',
            publicKey: backend.apiPublicKey,
            curveType: 'API_KEY_CURVE_P256',
          },
        ],
      },
      { ...empty, userName: 'End User', userEmail: email },
    ],
    rootQuorumThreshold: 1,
    wallet: { walletName: 'Default ETH Wallet', accounts: [...DEFAULT_ETHEREUM_ACCOUNTS] },
  });
  const [delegatedId = '', ownerId = ''] = rootUserIds ?? [];
  const delegated = serverClient(service, { key: backend, organizationId });
  const paid = Wallet.createRandom().address;
  await delegated.createPolicy({
    policyName: 'Allow Delegated Account to sign transactions to specific address',
    effect: 'EFFECT_ALLOW',
    consensus: `approvers.any(user, user.id == '${delegatedId}')`,
    condition: `eth.tx.to == '${paid}'`,
    notes: '',
  });
  await delegated.updateRootQuorum({ threshold: 1, userIds: [ownerId] });
  const sign = (to: string) =>
    delegated.signTransaction({
      signWith: wallet?.addresses[0] ?? '',
      type: 'TRANSACTION_TYPE_ETHEREUM',
      unsignedTransaction: ethersTransaction(to),
    });
  const { signedTransaction } = await sign(paid);
  assert.equal(parseTransaction(`0x${signedTransaction}`).to, paid.toLowerCase());
  await assert.rejects(sign(Wallet.createRandom().address), /Turnkey error 7/);
  await assert.rejects(
    delegated.updateRootQuorum({ threshold: 1, userIds: [delegatedId] }),
    /error 7/,
  );
  const owner = await signIn(email, organizationId);
  await owner.deleteUsers({ userIds: [delegatedId] });
  await assert.rejects(sign(paid), /Turnkey error (5|16|7)/);
});

const ethersTransaction = (to: string) =>
  serializeTransaction({
    type: 'eip1559',
    chainId: 1,
    to: to as Hex,
    value: 1n,
    nonce: 0,
    gas: 21_000n,
    maxFeePerGas: 2n,
    maxPriorityFeePerGas: 1n,
  });
