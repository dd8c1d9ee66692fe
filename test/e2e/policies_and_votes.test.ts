// Policies and votes with the unmodified packages.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAccount } from '@turnkey/viem';
import {
  type Address,
  createWalletClient,
  http,
  parseTransaction,
  recoverTransactionAddress,
  recoverTypedDataAddress,
  serializeTransaction,
  type TransactionSerializedEIP1559,
} from 'viem';
import {
  type ApiKeyPair,
  accountParameters,
  asDeclared,
  createAddress,
  httpClient,
  isRefusal,
  newApiKey,
  serverClient,
  stamper,
  timestampMs,
} from './clients.ts';
import { serviceOfThisFile } from './service.ts';
import { typedData } from './typed_data.ts';

const service = await serviceOfThisFile();
const { organizationId } = service.credentials;
const root = serverClient(service);
const address = await createAddress(service, 'policies', accountParameters.ethereum);
const signer = await addUser('Signer');
const first = await addUser('First approver');
const second = await addUser('Second approver');

const digest = {
  signWith: address,
  payload: '11'.repeat(32),
  encoding: 'PAYLOAD_ENCODING_HEXADECIMAL',
  hashFunction: 'HASH_FUNCTION_NO_OP',
} as const;

// Scenario 10
test('viem: a signature without an allowing policy, or with a denying one, fails with code 7', async () => {
  const account = await viemAccount(signer.key);
  await assert.rejects(
    account.signMessage({ message: 'hello' }),
    /Failed to sign: Turnkey error 7/,
  );

  const { policyId } = await root.createPolicy({
    policyName: 'Nobody signs blindly',
    effect: 'EFFECT_DENY',
    condition: "activity.params.hash_function == 'HASH_FUNCTION_NO_OP'",
    notes: '',
  });
  const error = await refusalOf(signer.client.signRawPayload(digest));
  assert.match(error.message, /The following policies denied this action: /);
  assert.ok(error.message.includes(policyId));
  await root.deletePolicy({ policyId });
});

// Scenario 11: a condition on the signed content, and a consensus of approvers
test('viem and sdk-server: a policy allows one contract, with the approval of another user', async () => {
  const { verifyingContract } = typedData.domain;
  const { policyId } = await root.createPolicy({
    policyName: 'One contract',
    effect: 'EFFECT_ALLOW',
    condition: `eth.eip_712.domain.verifying_contract == '${verifyingContract}'`,
    consensus: `approvers.any(user, user.id == '${signer.userId}') && approvers.any(user, user.id == '${first.userId}')`,
    notes: '',
  });
  const account = await viemAccount(signer.key);
  // Local accounts send nothing over this transport.
  const wallet = createWalletClient({ account, transport: http('http://127.0.0.1:9') });
  const needed = await wallet.signTypedData(typedData).then(
    () => assert.fail('it waits for a vote'),
    (error: unknown) => error,
  );
  const activityId = consensusNeeded(needed);
  const { activity } = await first.client.getActivity({ activityId });
  assert.equal(activity.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED');
  assert.deepEqual([activity.canApprove, activity.canReject], [true, true]); // ENV-12, ENV-13
  const outsider = await second.client.getActivity({ activityId });
  assert.deepEqual([outsider.activity.canApprove, outsider.activity.canReject], [false, false]);
  await assert.rejects(
    second.client.approveActivity({ fingerprint: activity.fingerprint }),
    isRefusal(7, 'REQUEST_NOT_AUTHORIZED'),
  );

  const approved = await first.client.approveActivity({ fingerprint: activity.fingerprint });
  assert.equal(approved.activity.id, activityId);
  assert.equal(approved.activity.status, 'ACTIVITY_STATUS_COMPLETED');
  assert.equal(approved.activity.votes.length, 2);
  const { r, s, v } = signatureIn(approved.activity.result);
  const signature = `0x${r}${s}${v === '00' ? '1b' : '1c'}` as const;
  assert.equal(await recoverTypedDataAddress({ ...typedData, signature }), account.address);

  // The policy does not match another contract or another kind of payload.
  const elsewhere = { ...typedData.domain, verifyingContract: account.address };
  await assert.rejects(
    wallet.signTypedData({ ...typedData, domain: elsewhere }),
    /Failed to sign: Turnkey error 7/,
  );
  await assert.rejects(account.signMessage({ message: 'hello' }), /Turnkey error 7/);

  const { policyEvaluations } = await root.getPolicyEvaluations({ activityId });
  assert.deepEqual(
    // The policy of the onboarding proxy does not match.
    policyEvaluations.map((evaluation) =>
      evaluation.policyEvaluations?.filter((each) => each.policyId === policyId),
    ),
    [
      [{ policyId, outcome: 'OUTCOME_REQUIRES_CONSENSUS' }],
      [{ policyId, outcome: 'OUTCOME_ALLOW' }],
    ],
  );
  await root.deletePolicy({ policyId });
});

// Scenario 37
test('sdk-server: a policy on the recipient of a transaction allows, denies and requires votes', async () => {
  const payee = '0x08d2b0a37F869FF76BACB5Bab3278E26ab7067B7';
  const treasury = '0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB';
  const stranger = '0x000000000000000000000000000000000000dEaD';
  const effect = 'EFFECT_ALLOW';
  const allowed = await root.createPolicy({
    policyName: 'The signer pays the payee',
    effect,
    condition: `eth.tx.to == '${payee}'`,
    consensus: `approvers.any(user, user.id == '${signer.userId}')`,
    notes: '',
  });
  const voted = await root.createPolicy({
    policyName: 'Two pay the treasury',
    effect,
    condition: `eth.tx.to == '${treasury}'`,
    consensus: `approvers.any(user, user.id == '${signer.userId}') && approvers.any(user, user.id == '${first.userId}')`,
    notes: '',
  });
  const account = await viemAccount(signer.key);
  const transfer = (to: Address) =>
    ({ type: 'eip1559', chainId: 1, nonce: 7, gas: 21_000n, to, value: 5n }) as const;

  const signed = await account.signTransaction(transfer(payee));
  assert.deepEqual(parseTransaction(signed).to, payee.toLowerCase());
  assert.equal(
    await recoverTransactionAddress({
      serializedTransaction: signed as TransactionSerializedEIP1559,
    }),
    account.address,
  );
  await assert.rejects(
    account.signTransaction(transfer(stranger)),
    /Failed to sign: Turnkey error 7/,
  );

  const unsignedTransaction = serializeTransaction(transfer(treasury));
  const { activity } = await signer.client.signTransaction({
    signWith: address,
    type: 'TRANSACTION_TYPE_ETHEREUM',
    unsignedTransaction,
  });
  assert.equal(activity.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED');
  const { fingerprint } = activity;
  const done = await first.client.approveActivity({ fingerprint });
  assert.equal(done.activity.status, 'ACTIVITY_STATUS_COMPLETED');
  const { signedTransaction = '' } = done.activity.result.signTransactionResult ?? {};
  const serializedTransaction = `0x${signedTransaction}` as TransactionSerializedEIP1559;
  assert.equal(await recoverTransactionAddress({ serializedTransaction }), account.address);
  assert.equal(parseTransaction(serializedTransaction).to, treasury.toLowerCase());
  await root.deletePolicies({ policyIds: [allowed.policyId, voted.policyId] });
});

test('sdk-server: a policy requires holders of two tags', async () => {
  const { userTagId: security } = await root.createUserTag({
    userTagName: 'Security',
    userIds: [first.userId],
  });
  const { userTagId: operations } = await root.createUserTag({
    userTagName: 'Operations',
    userIds: [signer.userId, second.userId],
  });
  const holder = (tagId: string) => `approvers.any(user, user.tags.contains('${tagId}'))`;
  const { policyId } = await root.createPolicy({
    policyName: 'Four eyes',
    effect: 'EFFECT_ALLOW',
    condition: "activity.action == 'SIGN'",
    consensus: `${holder(security)} && ${holder(operations)}`,
    notes: '',
  });
  const { fingerprint } = await waitingSignature(signer.key);
  // Another holder of the same tag does not suffice.
  const still = await second.client.approveActivity({ fingerprint });
  assert.equal(still.activity.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED');
  const { activity } = await first.client.approveActivity({ fingerprint });
  assert.equal(activity.status, 'ACTIVITY_STATUS_COMPLETED');
  assert.equal(activity.votes.length, 3);

  // Scenario 32: a rejection is final.
  const rejected = await waitingSignature(signer.key);
  const answer = await first.client.rejectActivity({ fingerprint: rejected.fingerprint });
  assert.equal(answer.activity.status, 'ACTIVITY_STATUS_REJECTED');
  await assert.rejects(
    second.client.approveActivity({ fingerprint: rejected.fingerprint }),
    isRefusal(
      9,
      'REQUEST_INVALID',
      /decided before this vote: its status is ACTIVITY_STATUS_REJECTED/,
    ),
  );
  await root.deletePolicy({ policyId });
});

// Scenario 33
test('http: a forwarded body acts as the user who stamped it', async () => {
  const { policyId } = await root.createPolicy({
    policyName: 'Signer signs',
    effect: 'EFFECT_ALLOW',
    condition: "activity.kind == 'SIGN_RAW_PAYLOAD'",
    consensus: `approvers.any(user, user.id == '${signer.userId}')`,
    notes: '',
  });
  const stamped = await httpClient(service, signer.key).stampSignRawPayload({
    type: 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2',
    timestampMs: timestampMs(),
    organizationId,
    parameters: digest,
  });
  const { stampHeaderName, stampHeaderValue } = stamped.stamp;
  const response = await fetch(stamped.url, {
    method: 'POST',
    headers: { [stampHeaderName]: stampHeaderValue },
    body: stamped.body,
  });
  const { activity } = await response.json();
  assert.equal(activity.status, 'ACTIVITY_STATUS_COMPLETED', JSON.stringify(activity));
  assert.equal(activity.votes[0].userId, signer.userId);
  await root.deletePolicy({ policyId });
});

// Scenarios 31 and 40
test('sdk-server: a quorum of two of three signs, and changes a feature; others do not', async () => {
  const feature = {
    name: 'FEATURE_NAME_WEBAUTHN_ORIGINS',
    value: 'https://www.example.com',
  } as const;
  // OP-SET-FEATURE-03, SVC-14
  await assert.rejects(
    signer.client.setOrganizationFeature(feature),
    isRefusal(7, 'REQUEST_NOT_AUTHORIZED'),
  );
  const { userId } = await root.getWhoami();
  await root.updateRootQuorum({ threshold: 2, userIds: [userId, first.userId, second.userId] });

  const { fingerprint } = await waitingSignature(service.credentials);
  const { activity } = await second.client.approveActivity({ fingerprint });
  assert.equal(activity.votes.length, 2);
  const { r, s, v } = signatureIn(activity.result);
  assert.match(`${r}${s}${v}`, /^[0-9a-f]{130}$/);

  const waiting = await first.client.setOrganizationFeature(feature);
  assert.equal(waiting.activity.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED');
  const refused = signer.client.approveActivity({ fingerprint: waiting.activity.fingerprint });
  await assert.rejects(refused, isRefusal(7, 'REQUEST_NOT_AUTHORIZED'));
  const set = await root.approveActivity({ fingerprint: waiting.activity.fingerprint });
  const { features } = set.activity.result.setOrganizationFeatureResult ?? {};
  const atFirst = { name: 'FEATURE_NAME_AUTH_PROXY', value: '' };
  assert.deepEqual(features, [atFirst, feature]); // OP-SET-FEATURE-09
});

test('http: the same body with the stamp of another member is the vote of that member', async () => {
  const body = JSON.stringify({
    type: 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2',
    timestampMs: timestampMs(),
    organizationId,
    parameters: digest,
  });
  const send = async (key: ApiKeyPair) => {
    const { stampHeaderName, stampHeaderValue } = await stamper(key).stamp(body);
    const url = `${service.baseUrl}/public/v1/submit/sign_raw_payload`;
    const headers = { [stampHeaderName]: stampHeaderValue };
    const response = await fetch(url, { method: 'POST', headers, body });
    return (await response.json()).activity;
  };
  const one = await send(first.key);
  assert.equal(one.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED');
  const again = await send(first.key);
  assert.deepEqual([again.id, again.votes.length], [one.id, 1]);
  const two = await send(second.key);
  assert.deepEqual([two.id, two.status], [one.id, 'ACTIVITY_STATUS_COMPLETED']);
});

async function addUser(userName: string) {
  const key = newApiKey();
  const { userIds } = await root.createUsers({
    users: [
      {
        userName,
        apiKeys: [
          {
            apiKeyName: userName,
            publicKey: key.apiPublicKey,
            curveType: 'API_KEY_CURVE_P256',
          },
        ],
        authenticators: [],
        oauthProviders: [],
        userTags: [],
      },
    ],
  });
  const [userId = ''] = userIds;
  return { key, userId, client: serverClient(service, { key }) };
}

function viemAccount(key: ApiKeyPair) {
  const client = asDeclared<Parameters<typeof createAccount>[0]['client']>(
    httpClient(service, key),
  );
  return createAccount({ client, organizationId, signWith: address });
}

/** Submits with the plain client, because the other one polls for seconds before it fails. */
async function waitingSignature(key: ApiKeyPair) {
  const { activity } = await httpClient(service, key).signRawPayload({
    type: 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2',
    timestampMs: timestampMs(),
    organizationId,
    parameters: digest,
  });
  assert.equal(activity.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED');
  return activity;
}

function signatureIn(result: { signRawPayloadResult?: { r: string; s: string; v: string } }) {
  const signature = result.signRawPayloadResult;
  assert.ok(signature, 'a completed signature is in the result');
  return signature;
}

/** Returns the waiting activity of an error. Each package has its own class with the same members. */
function consensusNeeded(error: unknown): string {
  assert.ok(error instanceof Error, String(error));
  assert.match(error.name, /ConsensusNeededError$/);
  assert.ok('activityId' in error && typeof error.activityId === 'string', String(error));
  return error.activityId;
}

async function refusalOf(request: Promise<unknown>): Promise<Error> {
  const error = await request.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof Error);
  return error;
}
