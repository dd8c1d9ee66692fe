// Does with a client that was generated from the OpenAPI document what the question on standard input
// asks; answers on standard output. `test/clients/question.ts` describes both. Stamps are made by hand.

import { createPrivateKey, sign } from 'node:crypto';
import { json } from 'node:stream/consumers';
import { type Client, createClient, createConfig } from './client/client/index.js';
import {
  approveActivity,
  createWallet,
  getActivity,
  signRawPayload,
  signTransaction,
  whoami,
} from './client/sdk.gen.js';
import type { SignRawPayloadResult } from './client/types.gen.js';

type Key = { readonly publicKey: string; readonly privateKey: string };
type Question = {
  readonly baseUrl: string;
  readonly organizationId: string;
  readonly root: Key;
  readonly alice: Key;
  readonly bob: Key;
  readonly stranger: Key;
  readonly body: string;
  readonly walletName: string;
  readonly digest: string;
  readonly unsignedTransaction: string;
};

const question = (await json(process.stdin)) as Question;
const { organizationId } = question;
const [root, alice, bob] = [question.root, question.alice, question.bob].map(clientOf);

const envelope = () => ({ timestampMs: String(Date.now()), organizationId });
const wallet = await createWallet({
  client: root,
  throwOnError: true,
  body: {
    ...envelope(),
    type: 'ACTIVITY_TYPE_CREATE_WALLET',
    parameters: {
      walletName: question.walletName,
      accounts: [
        {
          curve: 'CURVE_SECP256K1',
          pathFormat: 'PATH_FORMAT_BIP32',
          path: "m/44'/60'/0'/0/0",
          addressFormat: 'ADDRESS_FORMAT_ETHEREUM',
        },
      ],
    },
  },
});
const { walletId, addresses } = there(wallet.data.activity.result.createWalletResult);
const address = there(addresses[0]);

const transaction = await signTransaction({
  client: root,
  throwOnError: true,
  body: {
    ...envelope(),
    type: 'ACTIVITY_TYPE_SIGN_TRANSACTION_V2',
    parameters: {
      signWith: address,
      type: 'TRANSACTION_TYPE_ETHEREUM',
      unsignedTransaction: question.unsignedTransaction,
    },
  },
});
const { signedTransaction } = there(transaction.data.activity.result.signTransactionResult);

const { error, response } = await whoami({
  client: clientOf(question.stranger),
  body: { organizationId },
});

const waiting = await signDigest(alice);
const found = await getActivity({
  client: bob,
  throwOnError: true,
  body: { organizationId, activityId: waiting.id },
});
const { activity: approved } = (
  await approveActivity({
    client: bob,
    throwOnError: true,
    body: {
      ...envelope(),
      type: 'ACTIVITY_TYPE_APPROVE_ACTIVITY',
      parameters: { fingerprint: found.data.activity.fingerprint },
    },
  })
).data;
const who = await whoami({ client: root, throwOnError: true, body: { organizationId } });

process.stdout.write(
  JSON.stringify({
    stamps: { p256: { name: 'X-Stamp', value: stampOf(question.root, question.body) } },
    users: { p256: who.data.userId },
    walletId,
    address,
    signature: there((await signDigest(root)).result.signRawPayloadResult),
    signedTransaction,
    refusal: { status: response?.status, message: error?.message },
    waiting: waiting.id,
    approved: {
      activityId: approved.id,
      status: approved.status,
      // The outcome of a vote depends on the activity that it is for.
      signature: approved.result['signRawPayloadResult'] as SignRawPayloadResult,
    },
  }),
);

async function signDigest(client: Client | undefined) {
  const { data } = await signRawPayload({
    client,
    throwOnError: true,
    body: {
      ...envelope(),
      type: 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2',
      parameters: {
        signWith: address,
        payload: question.digest,
        encoding: 'PAYLOAD_ENCODING_HEXADECIMAL',
        hashFunction: 'HASH_FUNCTION_NO_OP',
      },
    },
  });
  return data.activity;
}

function clientOf(key: Key): Client {
  const client = createClient(createConfig({ baseUrl: question.baseUrl }));
  client.interceptors.request.use(async (request) => {
    request.headers.set('X-Stamp', stampOf(key, await request.clone().text()));
    return request;
  });
  return client;
}

function stampOf({ publicKey, privateKey }: Key, body: string): string {
  // PKCS #8 of a P-256 key without its public half.
  const der = Buffer.from(
    `3041020100301306072a8648ce3d020106082a8648ce3d030107042730250201010420${privateKey}`,
    'hex',
  );
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const signature = sign('sha256', Buffer.from(body), key).toString('hex');
  const scheme = 'SIGNATURE_SCHEME_TK_API_P256';
  return Buffer.from(JSON.stringify({ publicKey, scheme, signature })).toString('base64url');
}

function there<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('the answer lacks a member');
  return value;
}
