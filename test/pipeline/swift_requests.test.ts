// Requests in the form of the public Swift client: Foundation orders members by hashes that differ in each
// process, and escapes slashes.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, test } from 'node:test';
import { base64url, hex, utf8 } from '../../src/core/base/bytes.ts';
import { startTestService, type TestService } from '../support/harness.ts';
import type { SoftwareAuthenticator } from '../support/software_authenticator.ts';
import { addAuthenticator } from './passkey_requests.ts';
import { der, p256Signature, stampHeader } from './requests.ts';

let service: TestService;
let passkey: SoftwareAuthenticator;
before(async () => {
  service = await startTestService();
  passkey = await addAuthenticator(service, service.root.userId, 'Phone');
});
after(() => service.close());

/** Orders of the members of each object. */
const orders: readonly ((names: readonly string[]) => readonly string[])[] = [
  (names) => names,
  (names) => names.toReversed(),
  (names) => names.toSorted(),
  (names) => names.toSorted().toReversed(),
  ([first = '', ...others]) => [...others, first],
];

type Order = (typeof orders)[number];

function foundationJson(value: unknown, order: Order): string {
  if (Array.isArray(value)) {
    return `[${value.map((each) => foundationJson(each, order)).join(',')}]`;
  }
  if (typeof value !== 'object' || value === null) {
    return JSON.stringify(value).replaceAll('/', '\\/');
  }
  const members = order(Object.keys(value)).map((name) => {
    const member: unknown = Reflect.get(value, name);
    return `${JSON.stringify(name)}:${foundationJson(member, order)}`;
  });
  return `{${members.join(',')}}`;
}

function stampOfKey(body: Uint8Array, order: Order) {
  const { r, s } = p256Signature(body, service.root.key);
  const stamp = {
    publicKey: service.root.key.publicKey,
    scheme: 'SIGNATURE_SCHEME_TK_API_P256',
    signature: hex(der(r, s)),
  };
  return stampHeader(foundationJson(stamp, order));
}

function stampOfPasskey(body: Uint8Array, order: Order) {
  const challenge = createHash('sha256').update(body).digest('hex');
  const assertion = passkey.assertion(base64url(utf8(challenge)));
  const stamp = {
    authenticatorData: base64url(assertion.authenticatorData),
    clientDataJson: base64url(assertion.clientDataJson),
    credentialId: base64url(passkey.credentialId),
    signature: base64url(assertion.signature),
  };
  return { name: 'x-stamp-webauthn', value: foundationJson(stamp, order) };
}

for (const [kind, stampOf] of Object.entries({ key: stampOfKey, passkey: stampOfPasskey })) {
  test(`requests of the client in Swift are accepted in each order of members: ${kind}`, async () => {
    for (const [i, order] of orders.entries()) {
      const account = {
        curve: 'CURVE_SECP256K1',
        pathFormat: 'PATH_FORMAT_BIP32',
        path: "m/44'/60'/0'/0/0",
        addressFormat: 'ADDRESS_FORMAT_ETHEREUM',
      };
      const text = foundationJson(
        {
          type: 'ACTIVITY_TYPE_CREATE_WALLET',
          timestampMs: String(service.now()),
          organizationId: service.root.organizationId,
          parameters: { walletName: `${kind} ${i} / \u{1f600}`, accounts: [account] },
        },
        order,
      );
      assert.ok(text.includes("m\\/44'\\/60'"));
      const body = utf8(text);
      const answer = await service.send('submit', 'create_wallet', body, [stampOf(body, order)]);
      assert.equal(answer.status, 200, answer.body.message);
      const { activity } = answer.body;
      assert.equal(activity.status, 'ACTIVITY_STATUS_COMPLETED');
      assert.equal(activity.intent.createWalletIntent.accounts[0].path, account.path);
      assert.equal(activity.intent.createWalletIntent.walletName, `${kind} ${i} / \u{1f600}`);
      const digest = createHash('sha256').update(body).digest('hex');
      assert.equal(activity.fingerprint, `sha256:${digest}`);
    }
  });
}
