// Statements of the specification about activities, requests, enumerations and credentials, on a service
// in memory.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after } from 'node:test';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { mnemonicToAccount } from 'viem/accounts';
import { addressFormats } from '../../src/core/address/index.ts';
import { credentialTypes } from '../../src/core/base/enums.ts';
import { submitCalls, submitTypes } from '../hostile/calls.ts';
import { startTenants, type Tenant, type TenantName, tenantAccount } from '../hostile/tenants.ts';
import {
  describedPasskey,
  passkeyStamp,
} from '../operations/authenticators/authenticator_requests.ts';
import { activityBody } from '../operations/checks.ts';
import { openedSentence, targetPublicKey } from '../operations/wallets/transfer_requests.ts';
import { stampOf, type TestAnswer, type TestKey, testKey } from '../support/harness.ts';
import { startWorlds, text, uuid } from './operation_statements.ts';
import {
  assertAccepted,
  assertNames,
  bodyOf,
  type Members,
  statement,
  tried,
} from './statement.ts';

const worlds = startWorlds(startTenants, after);
const tenantOf = (name: TenantName): Tenant => worlds().done.all.get(name) ?? assert.fail();

/** Submits an activity in a tenant, by default as its root user. */
function submit(of: Tenant, operation: string, type: string, parameters: object, key = of.key) {
  const as = { organizationId: of.organizationId, key };
  return worlds().done.service.submit(operation, `ACTIVITY_TYPE_${type}`, parameters, as);
}
async function resultOf(answer: Promise<TestAnswer>): Promise<Members> {
  const { body } = await answer;
  assert.equal(body.activity?.status, 'ACTIVITY_STATUS_COMPLETED', JSON.stringify(body));
  return Object.values(body.activity.result)[0] as Members;
}
const ask = async (of: Tenant, operation: string, body: object = {}): Promise<Members> => {
  const as = { organizationId: of.organizationId, key: of.key };
  return (await worlds().done.service.query(operation, body, as)).body;
};
/** Returns the outcome of an activity of the child’s root user in a dry run. */
function would(operation: string, type: string, parameters: Members): Promise<TestAnswer> {
  const { tried: tenants } = worlds();
  const child = tenants.all.get('child') ?? assert.fail();
  const body = bodyOf(tenants, child, `ACTIVITY_TYPE_${type}`, parameters);
  return tried(tenants, operation, body, child.key);
}

// Activities
let made: Promise<{ activity: Members; body: Members; sent: Uint8Array }> | undefined;
const wallet = { walletName: 'An activity', accounts: [tenantAccount(3)] };
/** Returns an activity that is completed at once. */
function activityMade() {
  made ??= (async () => {
    const { service } = worlds().done;
    const { organizationId, key } = tenantOf('child');
    const type = 'ACTIVITY_TYPE_CREATE_WALLET';
    const sent = activityBody(service, type, wallet, organizationId);
    const headers = [stampOf(sent, key)];
    const { body } = await service.send('submit', 'create_wallet', sent, headers);
    return { activity: body.activity, body, sent };
  })();
  return made;
}
/** Returns the waiting activity of a tenant, as its root user sees it. */
const waiting = async (of: Tenant): Promise<Members> =>
  (await ask(of, 'get_activity', { activityId: of.pendingActivityId }))['activity'];
const member = (ids: string, says: string, check: (activity: Members) => void) =>
  statement(ids, says, async () => check((await activityMade()).activity));

statement('SHAPE-04 REQ-08', 'a submit operation answers with the activity alone', async () => {
  const { body } = await activityMade();
  assert.deepEqual(Object.keys(body), ['activity']);
  const names = [
    'id',
    'organizationId',
    'status',
    'type',
    'intent',
    'result',
    'votes',
    'fingerprint',
  ];
  const all = [...names, 'canApprove', 'canReject', 'createdAt', 'updatedAt'];
  assert.deepEqual(Object.keys(body['activity']).sort(), all.sort());
});
statement('SVC-06', 'an activity changes something, and answers what it changed', async () => {
  const { walletId } = (await activityMade()).activity['result'].createWalletResult;
  assert.equal(
    (await ask(tenantOf('child'), 'get_wallet', { walletId }))['wallet'].walletName,
    'An activity',
  );
});
member('ENV-01', 'an activity has an id', ({ id }) => uuid(id));
member('ENV-02', 'an activity names its organization', ({ organizationId }) =>
  assert.equal(organizationId, tenantOf('child').organizationId),
);
statement('ENV-03 STATE-01', 'an activity has a status, a text', async () => {
  assert.equal((await activityMade()).activity['status'], 'ACTIVITY_STATUS_COMPLETED');
  assert.equal((await waiting(tenantOf('child')))['status'], 'ACTIVITY_STATUS_CONSENSUS_NEEDED');
});
member('STATE-02', 'what is done is ACTIVITY_STATUS_COMPLETED', ({ status }) =>
  assert.equal(status, 'ACTIVITY_STATUS_COMPLETED'),
);
member('ENV-04', 'an activity has the type that was sent', ({ type }) =>
  assert.equal(type, 'ACTIVITY_TYPE_CREATE_WALLET'),
);
member('ENV-05', 'the intent is an object', ({ intent }) => {
  assert.ok(typeof intent === 'object' && intent !== null && !Array.isArray(intent));
});
member('ENV-06', 'the intent has exactly one key', ({ intent }) =>
  assert.deepEqual(Object.keys(intent), ['createWalletIntent']),
);
member('ENV-07', 'the intent echoes what was sent', ({ intent }) =>
  assert.deepEqual(Object.values(intent), [wallet]),
);
statement('ENV-08', 'the result is an object, of what waits an empty one', async () => {
  assert.equal(typeof (await activityMade()).activity['result'], 'object');
  assert.deepEqual((await waiting(tenantOf('child')))['result'], {});
});
member('ENV-09 REQ-09', 'the result has one key, with the outcome', ({ result, intent }) => {
  assert.deepEqual(Object.keys(result), ['createWalletResult']);
  assert.deepEqual(Object.keys(intent), ['createWalletIntent']);
  uuid(result.createWalletResult.walletId);
});
statement('ENV-10', 'votes are the approvals and rejections, with who gave them', async () => {
  const of = tenantOf('sibling');
  const { pendingFingerprint: fingerprint } = of;
  const before = (await waiting(of))['votes'];
  assert.deepEqual(
    before.map((vote: Members) => [vote['userId'], vote['selection']]),
    [[of.userId, 'VOTE_SELECTION_APPROVED']],
  );
  assertAccepted(await submit(of, 'reject_activity', 'REJECT_ACTIVITY', { fingerprint }));
  const [, rejection] = (await waiting(of))['votes'];
  assert.deepEqual(
    [rejection.userId, rejection.selection, rejection.publicKey],
    [of.rootUserId, 'VOTE_SELECTION_REJECTED', of.key.publicKey],
  );
});
statement('ENV-11', 'the fingerprint is of what was sent', async () => {
  const { activity, sent } = await activityMade();
  assert.equal(
    activity['fingerprint'],
    `sha256:${createHash('sha256').update(sent).digest('hex')}`,
  );
});
statement('ENV-12', 'canApprove tells whether it can be approved', async () => {
  assert.equal((await activityMade()).activity['canApprove'], false);
  assert.equal((await waiting(tenantOf('child')))['canApprove'], true);
});
statement('ENV-13', 'canReject tells whether it can be rejected', async () => {
  assert.equal((await activityMade()).activity['canReject'], false);
  assert.equal((await waiting(tenantOf('child')))['canReject'], true);
});
member('ENV-14', 'an activity has the time it was made, a text', ({ createdAt }) =>
  assert.equal(new Date(createdAt).toISOString(), createdAt),
);
statement('ENV-15', 'an activity has the time of its last change, a text', async () => {
  const { activity } = await activityMade();
  assert.equal(activity['updatedAt'], activity['createdAt']);
  const of = tenantOf('child');
  const before = await waiting(of);
  assert.equal(new Date(before['updatedAt']).toISOString(), before['updatedAt']);
});
statement(
  'SVC-12 SVC-13 STATE-03',
  'what needs two approvals waits for the second, and nothing after it',
  async () => {
    const of = tenantOf('unrelated');
    const before = await waiting(of);
    assert.deepEqual(
      [before['status'], before['canApprove'], before['canReject'], before['votes'].length],
      ['ACTIVITY_STATUS_CONSENSUS_NEEDED', true, true, 1],
    );
    const { pendingFingerprint: fingerprint } = of;
    assertAccepted(await submit(of, 'approve_activity', 'APPROVE_ACTIVITY', { fingerprint }));
    const done = await waiting(of);
    assert.deepEqual(
      [done['status'], done['canApprove'], done['canReject'], done['votes'].length],
      ['ACTIVITY_STATUS_COMPLETED', false, false, 2],
    );
  },
);
statement(
  'SVC-14 OP-SET-FEATURE-03',
  'a feature takes the root quorum, all of it, and no policy',
  async () => {
    const of = tenantOf('sibling');
    const plain = testKey('user of sibling');
    const feature = (value: string, key?: TestKey) =>
      submit(
        of,
        'set_organization_feature',
        'SET_ORGANIZATION_FEATURE',
        { name: 'FEATURE_NAME_WEBHOOK', value },
        key,
      );
    await resultOf(
      submit(of, 'create_policy', 'CREATE_POLICY_V3', {
        policyName: 'Everything',
        effect: 'EFFECT_ALLOW',
        condition: 'true',
        notes: '',
      }),
    );
    assert.equal((await feature('https://hooks.example/plain', plain)).status, 403);
    const quorum = { threshold: 2, userIds: [of.rootUserId, of.userId] };
    await resultOf(submit(of, 'update_root_quorum', 'UPDATE_ROOT_QUORUM', quorum));
    const { activity } = (await feature('https://hooks.example/both')).body;
    assert.equal(activity.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED');
    const { fingerprint } = activity;
    await resultOf(submit(of, 'approve_activity', 'APPROVE_ACTIVITY', { fingerprint }, plain));
    const { configs } = await ask(of, 'get_organization_configs');
    const hook = configs.features.find((each: Members) => each['name'] === 'FEATURE_NAME_WEBHOOK');
    assert.equal(hook.value, 'https://hooks.example/both');
  },
);
const features = async (): Promise<Members[]> =>
  (await ask(tenantOf('child'), 'get_organization_configs'))['configs'].features;
statement('RES-FEATURE-01', 'a feature has a name', async () => {
  const names = (await features()).map(({ name }) => name);
  assert.ok(names.includes('FEATURE_NAME_EMAIL_AUTH'));
});
statement('RES-FEATURE-02', 'a feature has the value that it was given, a text', async () => {
  const feature = { name: 'FEATURE_NAME_WEBHOOK', value: 'https://hooks.example/value' };
  await resultOf(
    submit(tenantOf('child'), 'set_organization_feature', 'SET_ORGANIZATION_FEATURE', feature),
  );
  assert.deepEqual(
    (await features()).find(({ name }) => name === feature.name),
    feature,
  );
});

// Requests
envelope('REQ-01', 'type', [1, '', 'CREATE_WALLET']);
envelope('REQ-02', 'timestampMs', [true, '', 'now', '-1']);
envelope('REQ-04', 'organizationId', [1, '', 'organization']);
envelope('REQ-05', 'parameters', [1, '', [], null]);
function envelope(ids: string, name: string, wrong: readonly unknown[]): void {
  statement(ids, `every request has ${name}`, async () => {
    for (const value of [undefined, ...wrong]) {
      assertNames(await sent('create_wallet', wallet, { [name]: value }), name, value);
    }
    assertAccepted(await sent('create_wallet', wallet, {}));
  });
}
statement('REQ-11', 'every submit operation has these fields', async () => {
  const child = worlds().tried.all.get('child') ?? assert.fail();
  for (const [operation, [call]] of Object.entries(submitCalls)) {
    const parameters = call?.parameters(child) ?? {};
    for (const name of ['type', 'timestampMs', 'organizationId', 'parameters']) {
      assertNames(await sent(operation, parameters, { [name]: undefined }), name, operation);
    }
    const field = 'generateAppProofs';
    assertNames(await sent(operation, parameters, { [field]: 'true' }), field, operation);
  }
});
/** Tries a request of the child’s root user with other members in its envelope. */
async function sent(operation: string, parameters: object, members: Members): Promise<TestAnswer> {
  const { tried: tenants } = worlds();
  const child = tenants.all.get('child') ?? assert.fail();
  tenants.service.advance(1);
  const { organizationId, key } = child;
  const timestampMs = String(tenants.service.now());
  const type = submitTypes.get(operation);
  const body = { type, timestampMs, organizationId, parameters, ...members };
  return tried(tenants, operation, Buffer.from(JSON.stringify(body)), key);
}
statement(
  'REQ-03 AUTH-15',
  'a request is alive for an hour, and no more than five minutes early',
  async () => {
    const now = worlds().tried.service.now() + 1;
    for (const [ageMs, status] of [
      [3_599_999, 200],
      [3_600_000, 400],
      [-300_000, 200],
      [-300_001, 400],
    ] as const) {
      const timestampMs = String(now - ageMs);
      worlds().tried.service.advance(now - 1 - worlds().tried.service.now());
      const answer = await sent('create_wallet', wallet, { timestampMs });
      assert.equal(answer.status, status, `${ageMs}: ${JSON.stringify(answer.body)}`);
    }
  },
);
async function proved(more: Members): Promise<Members> {
  const { service } = worlds().done;
  const { organizationId, key } = tenantOf('child');
  const type = 'ACTIVITY_TYPE_CREATE_WALLET';
  service.advance(1);
  const timestampMs = String(service.now());
  const parameters = { ...wallet, walletName: `Wallet of ${timestampMs}` };
  const content = { type, timestampMs, organizationId, parameters, ...more };
  const body = Buffer.from(JSON.stringify(content));
  return (await service.send('submit', 'create_wallet', body, [stampOf(body, key)])).body;
}
statement('REQ-06', 'generateAppProofs is a boolean that may be left out', async () => {
  for (const wrong of ['true', 1, {}]) {
    assertNames(
      await sent('create_wallet', wallet, { generateAppProofs: wrong }),
      'generateAppProofs',
      wrong,
    );
  }
  for (const good of [undefined, true, false]) {
    assertAccepted(await sent('create_wallet', wallet, { generateAppProofs: good }));
  }
});
statement(
  'REQ-07',
  'proofs come with an activity that asks for them, and with no other',
  async () => {
    const { activity } = await proved({ generateAppProofs: true });
    assert.equal(activity.appProofs.length, 1);
    const payload = JSON.parse(activity.appProofs[0].proofPayload);
    assert.equal(payload.activity.fingerprint, activity.fingerprint);
    for (const more of [{}, { generateAppProofs: false }]) {
      assert.ok(!('appProofs' in (await proved(more))['activity']));
    }
  },
);
statement('REQ-10', 'every request needs a stamp', async () => {
  const { service, all } = worlds().tried;
  const child = all.get('child') ?? assert.fail();
  for (const [operation, [call]] of Object.entries(submitCalls)) {
    const type = submitTypes.get(operation) ?? '';
    const body = activityBody(service, type, { ...call?.parameters(child) }, child.organizationId);
    const answer = await service.send('submit', operation, body, []);
    assert.deepEqual([answer.status, answer.body.code], [401, 16], operation);
  }
});

// Enumerations
statement('ENUM-01', 'a credential is of one of ten types', () => {
  const names = [
    'WEBAUTHN_AUTHENTICATOR',
    'API_KEY_P256',
    'RECOVER_USER_KEY_P256',
    'API_KEY_SECP256K1',
  ];
  const keys = ['EMAIL_AUTH_KEY_P256', 'API_KEY_ED25519', 'OTP_AUTH_KEY_P256'];
  const all = [...names, ...keys, 'READ_WRITE_SESSION_KEY_P256', 'OAUTH_KEY_P256', 'LOGIN'];
  assert.deepEqual(credentialTypes.toSorted(), all.map((name) => `CREDENTIAL_TYPE_${name}`).sort());
});
const privateKey = (curve: string, formats: readonly string[] = []) => ({
  privateKeys: [{ privateKeyName: 'K', curve, privateKeyTags: [], addressFormats: formats }],
});
const makeKey = (curve: string, formats?: readonly string[]) =>
  would('create_private_keys', 'CREATE_PRIVATE_KEYS_V2', privateKey(curve, formats));
statement('ENUM-02', 'there are three curves', async () => {
  for (const name of ['SECP256K1', 'ED25519', 'P256'])
    assertAccepted(await makeKey(`CURVE_${name}`));
  for (const wrong of ['CURVE_P384', 'CURVE_BLS12_381', 'SECP256K1', '']) {
    assertNames(await makeKey(wrong), 'parameters.privateKeys.0.curve', wrong);
  }
});
statement('ENUM-03', 'there is one format of paths', async () => {
  const withFormat = (pathFormat: string) =>
    would('create_wallet', 'CREATE_WALLET', {
      walletName: 'W',
      accounts: [{ ...tenantAccount(), pathFormat }],
    });
  assertAccepted(await withFormat('PATH_FORMAT_BIP32'));
  for (const wrong of ['PATH_FORMAT_BIP44', 'BIP32', '']) {
    assertNames(await withFormat(wrong), 'parameters.accounts.0.pathFormat', wrong);
  }
});
statement('ENUM-04', 'there are 38 formats of addresses', async () => {
  const bitcoin = ['MAINNET', 'TESTNET', 'SIGNET', 'REGTEST'].flatMap((network) =>
    ['P2PKH', 'P2SH', 'P2WPKH', 'P2WSH', 'P2TR'].map((script) => `BITCOIN_${network}_${script}`),
  );
  const first = [
    'UNCOMPRESSED',
    'COMPRESSED',
    'ETHEREUM',
    'SOLANA',
    'COSMOS',
    'TRON',
    'SUI',
    'APTOS',
  ];
  const last = ['SEI', 'XLM', 'DOGE_MAINNET', 'DOGE_TESTNET', 'TON_V3R2', 'TON_V4R2', 'TON_V5R1'];
  const all = [...first, ...bitcoin, ...last, 'XRP', 'SPARK_MAINNET', 'SPARK_REGTEST'];
  assert.equal(all.length, 38);
  const ed25519 = ['SOLANA', 'SUI', 'APTOS', 'XLM', 'TON_V3R2', 'TON_V4R2', 'TON_V5R1'];
  for (const name of all) {
    const curve = ed25519.includes(name) ? 'CURVE_ED25519' : 'CURVE_SECP256K1';
    assertAccepted(await makeKey(curve, [`ADDRESS_FORMAT_${name}`]));
  }
  assert.deepEqual(
    Object.keys(addressFormats).sort(),
    all.map((name) => `ADDRESS_FORMAT_${name}`).sort(),
  );
  for (const wrong of ['ADDRESS_FORMAT_CARDANO', 'ETHEREUM', '']) {
    const field = 'parameters.privateKeys.0.addressFormats.0';
    assertNames(await makeKey('CURVE_SECP256K1', [wrong]), field, wrong);
  }
});
statement('ENUM-05', 'there are five transports', async () => {
  const { userId } = worlds().tried.all.get('child') ?? assert.fail();
  const withTransport = (transport: string) => {
    const passkey = describedPasskey(`by ${transport}`);
    const attestation = { ...passkey.attestation, transports: [transport] };
    const parameters = { userId, authenticators: [{ ...passkey, attestation }] };
    return would('create_authenticators', 'CREATE_AUTHENTICATORS_V2', parameters);
  };
  for (const name of ['BLE', 'INTERNAL', 'NFC', 'USB', 'HYBRID']) {
    assertAccepted(await withTransport(`AUTHENTICATOR_TRANSPORT_${name}`));
  }
  for (const wrong of ['AUTHENTICATOR_TRANSPORT_SMOKE', 'USB', '']) {
    const field = 'parameters.authenticators.0.attestation.transports.0';
    assertNames(await withTransport(wrong), field, wrong);
  }
});
statement('ENUM-06', 'there are two effects', async () => {
  const withEffect = (effect: string) =>
    would('create_policy', 'CREATE_POLICY_V3', {
      policyName: 'P',
      effect,
      condition: 'false',
      notes: '',
    });
  for (const name of ['ALLOW', 'DENY']) assertAccepted(await withEffect(`EFFECT_${name}`));
  for (const wrong of ['EFFECT_MAYBE', 'ALLOW', '']) {
    assertNames(await withEffect(wrong), 'parameters.effect', wrong);
  }
});
statement('ENUM-07', 'there are nine features', async () => {
  const values: Members = {
    ROOT_USER_EMAIL_RECOVERY: '',
    EMAIL_AUTH: '',
    EMAIL_RECOVERY: '',
    SMS_AUTH: '',
    OTP_EMAIL_AUTH: '',
    WEBHOOK: 'https://hooks.example/',
    WEBAUTHN_ORIGINS: 'https://app.example',
    SOLANA_RENT_PREFUND_ENABLED: 'true',
  };
  const withName = (name: string, value: string) =>
    would('set_organization_feature', 'SET_ORGANIZATION_FEATURE', { name, value });
  for (const [name, value] of Object.entries(values)) {
    const { status, body } = await withName(`FEATURE_NAME_${name}`, value);
    const [violation] = body.details?.[0]?.fieldViolations ?? [];
    assert.notEqual(violation?.field, 'parameters.name', `${name} ${status}`);
  }
  // Other operations set the ninth feature.
  const proxy = (await withName('FEATURE_NAME_AUTH_PROXY', '')).body.message;
  assert.doesNotMatch(String(proxy), /expected one of/);
  for (const wrong of ['FEATURE_NAME_SWAP_CONFIG', 'WEBHOOK', '']) {
    assertNames(await withName(wrong, ''), 'parameters.name', wrong);
  }
});
statement('ENUM-08', 'each of fifteen operations has one type', async () => {
  const types: Members = {
    oauth: 'OAUTH',
    oauth_login: 'OAUTH_LOGIN',
    sign_raw_payload: 'SIGN_RAW_PAYLOAD_V2',
    update_user: 'UPDATE_USER',
    update_user_email: 'UPDATE_USER_EMAIL',
    recover_user: 'RECOVER_USER',
    create_oauth_providers: 'CREATE_OAUTH_PROVIDERS_V2',
    update_policy: 'UPDATE_POLICY_V2',
    set_organization_feature: 'SET_ORGANIZATION_FEATURE',
    delete_wallet_accounts: 'DELETE_WALLET_ACCOUNTS',
    update_wallet: 'UPDATE_WALLET',
    update_organization_name: 'UPDATE_ORGANIZATION_NAME',
    create_read_only_session: 'CREATE_READ_ONLY_SESSION',
    init_import_private_key: 'INIT_IMPORT_PRIVATE_KEY',
    restore_tvc_deployment: 'RESTORE_TVC_DEPLOYMENT',
  };
  const child = worlds().tried.all.get('child') ?? assert.fail();
  for (const [operation, type] of Object.entries(types)) {
    const parameters = { ...submitCalls[operation]?.[0]?.parameters(child) };
    assertAccepted(await would(operation, type, parameters));
    const others = Object.values(types).filter((other) => other !== type);
    for (const other of others)
      assertNames(await would(operation, other, parameters), 'type', other);
  }
});
const sign = (encoding: string, hashFunction: string) => {
  const { address: signWith } = worlds().tried.all.get('child') ?? assert.fail();
  const payload = '00'.repeat(32);
  return would('sign_raw_payload', 'SIGN_RAW_PAYLOAD_V2', {
    signWith,
    payload,
    encoding,
    hashFunction,
  });
};
const refusedField = ({ body }: TestAnswer): string | undefined =>
  body.details?.[0]?.fieldViolations?.[0]?.field;
statement('ENUM-09', 'there are four encodings of payloads', async () => {
  for (const name of ['HEXADECIMAL', 'TEXT_UTF8', 'EIP712', 'EIP7702_AUTHORIZATION']) {
    const answer = await sign(`PAYLOAD_ENCODING_${name}`, 'HASH_FUNCTION_NO_OP');
    assert.notEqual(refusedField(answer), 'parameters.encoding', name);
  }
  for (const wrong of ['PAYLOAD_ENCODING_BASE64', 'HEXADECIMAL', '']) {
    assertNames(await sign(wrong, 'HASH_FUNCTION_NO_OP'), 'parameters.encoding', wrong);
  }
});
statement('ENUM-10', 'there are four hash functions', async () => {
  for (const name of ['NO_OP', 'SHA256', 'KECCAK256']) {
    assertAccepted(await sign('PAYLOAD_ENCODING_HEXADECIMAL', `HASH_FUNCTION_${name}`));
  }
  // The fourth is for keys that hash the payload themselves.
  const fourth = await sign('PAYLOAD_ENCODING_HEXADECIMAL', 'HASH_FUNCTION_NOT_APPLICABLE');
  assert.doesNotMatch(fourth.body.message, /expected one of/);
  for (const wrong of ['HASH_FUNCTION_MD5', 'SHA256', '']) {
    assertNames(
      await sign('PAYLOAD_ENCODING_HEXADECIMAL', wrong),
      'parameters.hashFunction',
      wrong,
    );
  }
});

// Authentication
const whoami = (headers: (body: Uint8Array) => readonly { name: string; value: string }[]) => {
  const { organizationId } = tenantOf('child');
  const body = Buffer.from(JSON.stringify({ organizationId }));
  return worlds().done.service.send('query', 'whoami', body, headers(body));
};
statement('AUTH-01', 'X-Stamp is a header that queries and activities take', async () => {
  const { key, rootUserId } = tenantOf('child');
  const answer = await whoami((body) => [stampOf(body, key)]);
  assert.equal(answer.body.userId, rootUserId);
  assert.equal((await activityMade()).activity['status'], 'ACTIVITY_STATUS_COMPLETED');
  assert.equal((await whoami(() => [])).status, 401);
});
statement('AUTH-02', 'X-Stamp is the signature of an API key over the body', async () => {
  const { key } = tenantOf('child');
  for (const headers of [
    (body: Uint8Array) => [stampOf(Buffer.concat([body, Buffer.from(' ')]), key)],
    (body: Uint8Array) => [stampOf(body, { ...key, privateKey: testKey('other').privateKey })],
    (body: Uint8Array) => [stampOf(body, testKey('unknown'))],
  ]) {
    assert.equal((await whoami(headers)).status, 401);
  }
});
statement(
  'AUTH-03 AUTH-10',
  'X-Stamp-WebAuthn is a header that queries and activities take',
  async () => {
    const { userId, organizationId } = tenantOf('child');
    const answer = await whoami((body) => [passkeyStamp(body, 'Passkey of child')]);
    assert.deepEqual([answer.status, answer.body.userId], [200, userId]);
    const { service } = worlds().done;
    const type = 'ACTIVITY_TYPE_CREATE_READ_ONLY_SESSION';
    const body = activityBody(service, type, {}, organizationId);
    const headers = [passkeyStamp(body, 'Passkey of child')];
    assertAccepted(await service.send('submit', 'create_read_only_session', body, headers));
  },
);
statement('AUTH-04', 'X-Stamp-WebAuthn is the assertion of a passkey over the body', async () => {
  for (const headers of [
    (body: Uint8Array) => [
      passkeyStamp(Buffer.concat([body, Buffer.from(' ')]), 'Passkey of child'),
    ],
    (body: Uint8Array) => [passkeyStamp(body, 'Unknown passkey')],
  ]) {
    assert.equal((await whoami(headers)).status, 401);
  }
});
statement('AUTH-05', 'of the two stamps one is used, not both', async () => {
  const { key } = tenantOf('child');
  const api = (body: Uint8Array) => stampOf(body, key);
  const passkey = (body: Uint8Array) => passkeyStamp(body, 'Passkey of child');
  assert.equal((await whoami((body) => [api(body)])).status, 200);
  assert.equal((await whoami((body) => [passkey(body)])).status, 200);
  assert.equal((await whoami((body) => [api(body), passkey(body)])).status, 401);
});

// Wallets, sessions and tokens
statement('SVC-03', 'a signature verifies with the public key of its account', async () => {
  const of = tenantOf('child');
  const payload = 'ab'.repeat(32);
  const { r, s } = await resultOf(
    submit(of, 'sign_raw_payload', 'SIGN_RAW_PAYLOAD_V2', {
      signWith: of.address,
      payload,
      encoding: 'PAYLOAD_ENCODING_HEXADECIMAL',
      hashFunction: 'HASH_FUNCTION_NO_OP',
    }),
  );
  const { account } = await ask(of, 'get_wallet_account', {
    walletId: of.walletId,
    address: of.address,
  });
  const [signature, publicKey] = [`${r}${s}`, account.publicKey].map((hex) =>
    Uint8Array.fromHex(hex),
  );
  assert(signature !== undefined && publicKey !== undefined);
  const verify = (hex: string) =>
    secp256k1.verify(signature, Uint8Array.fromHex(hex), publicKey, { prehash: false });
  assert.ok(verify(payload));
  assert.ok(!verify('ac'.repeat(32)));
});
statement(
  'RES-WALLET-ACCOUNT-10',
  'an address is derived from the seed and the parameters',
  async () => {
    const of = tenantOf('parent');
    const { exportBundle } = await resultOf(
      submit(of, 'export_wallet', 'EXPORT_WALLET', { walletId: of.walletId, targetPublicKey }),
    );
    const sentence = await openedSentence(exportBundle, of.organizationId);
    for (const index of [0, 5]) {
      const accounts = [tenantAccount(index)];
      const parameters = { walletId: of.walletId, accounts };
      const made =
        index === 0
          ? undefined
          : submit(of, 'create_wallet_accounts', 'CREATE_WALLET_ACCOUNTS', parameters);
      const address = made === undefined ? of.address : (await resultOf(made))['addresses'][0];
      assert.equal(mnemonicToAccount(sentence, { addressIndex: index }).address, address);
    }
  },
);
const deletion = (of: Tenant, deleteWithoutExport: boolean | undefined) =>
  submit(of, 'delete_wallet_accounts', 'DELETE_WALLET_ACCOUNTS', {
    walletAccountIds: [of.walletAccountId],
    ...(deleteWithoutExport === undefined ? {} : { deleteWithoutExport }),
  });
statement(
  'STATE-06 OP-DELETE-WALLET-ACCOUNTS-05',
  'what was never exported is deleted only where that is said',
  async () => {
    const of = tenantOf('child');
    for (const told of [undefined, false]) {
      const answer = await deletion(of, told);
      assert.match(answer.body.message, /has not been exported/);
    }
    await resultOf(deletion(of, true));
  },
);
statement(
  'OP-DELETE-WALLET-ACCOUNTS-06',
  'what was exported is deleted whatever is said',
  async () => {
    const of = tenantOf('unrelated');
    const { address } = of;
    await resultOf(
      submit(of, 'export_wallet_account', 'EXPORT_WALLET_ACCOUNT', { address, targetPublicKey }),
    );
    await resultOf(deletion(of, false));
  },
);
statement(
  'OP-READ-ONLY-SESSION-09 OP-READ-ONLY-SESSION-10',
  'a session is for the child, whether it or its parent is named',
  async () => {
    const of = tenantOf('child');
    for (const { organizationId } of [tenantOf('parent'), of]) {
      const as = { organizationId, key: of.key };
      const { service } = worlds().done;
      const type = 'ACTIVITY_TYPE_CREATE_READ_ONLY_SESSION';
      const result = await resultOf(service.submit('create_read_only_session', type, {}, as));
      assert.equal(result['organizationId'], of.organizationId);
    }
  },
);
statement(
  'OP-UPDATE-USER-EMAIL-07',
  'a verification token is a signed JWT with its four claims',
  async () => {
    const { verificationToken } = tenantOf('child');
    const [header, claims, signature] = verificationToken
      .split('.')
      .map((part) => Buffer.from(part, 'base64url'));
    assert.equal(JSON.parse(String(header)).alg, 'ES256');
    assert.equal(signature?.length, 64);
    const { id, exp, verification_type, contact } = JSON.parse(String(claims));
    uuid(id);
    text(String(exp));
    assert.deepEqual([verification_type, contact], ['OTP_TYPE_EMAIL', tenantOf('child').userEmail]);
    const { userId, userEmail } = tenantOf('child');
    const altered = `${verificationToken.slice(0, -4)}AAAA`;
    const answer = await submit(tenantOf('child'), 'update_user_email', 'UPDATE_USER_EMAIL', {
      userId,
      userEmail,
      verificationToken: altered,
    });
    assert.match(answer.body.message, /^invalid verification token/);
  },
);

// Versions
const suffixed = {
  sign_raw_payload: ['signRawPayloadIntentV2', 'signRawPayloadResult'],
  create_oauth_providers: ['createOauthProvidersIntentV2', 'createOauthProvidersResultV2'],
  update_policy: ['updatePolicyIntentV2', 'updatePolicyResultV2'],
} as const;
const versions = new Map<string, Promise<Members>>();
/** Returns an activity of an operation whose type has a version. */
function versioned(operation: keyof typeof suffixed): Promise<Members> {
  const known = versions.get(operation);
  if (known !== undefined) return known;
  const of = tenantOf('parent');
  const parameters = { ...submitCalls[operation]?.[0]?.parameters(of) };
  const activity = submit(of, operation, `${operation.toUpperCase()}_V2`, parameters).then(
    ({ body }) => body.activity,
  );
  versions.set(operation, activity);
  return activity;
}
const suffixedNames = Object.keys(suffixed) as (keyof typeof suffixed)[];
statement('VER-03', 'three operations have types of the second version', async () => {
  for (const operation of suffixedNames) {
    assert.equal(
      (await versioned(operation))['type'],
      `ACTIVITY_TYPE_${operation.toUpperCase()}_V2`,
    );
  }
});
statement('VER-05', 'their intents end in V2', async () => {
  for (const operation of suffixedNames) {
    const [key] = Object.keys((await versioned(operation))['intent']);
    assert.equal(key, suffixed[operation][0]);
  }
});
statement('VER-06', 'the results of two of them end in V2', async () => {
  for (const operation of ['create_oauth_providers', 'update_policy'] as const) {
    assert.deepEqual(Object.keys((await versioned(operation))['result']), [suffixed[operation][1]]);
  }
});
statement('VER-07', 'the result of sign_raw_payload has no version', async () => {
  assert.deepEqual(Object.keys((await versioned('sign_raw_payload'))['result']), [
    'signRawPayloadResult',
  ]);
});
