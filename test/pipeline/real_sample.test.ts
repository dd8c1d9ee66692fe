// A request of a real client, published with the stamp of its user.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { parseStamp } from '../../src/core/auth/stamp.ts';
import { hex, utf8 } from '../../src/core/base/bytes.ts';
import { sha256 } from '../../src/core/crypto/hashes.ts';
import { ecdsaSignatureOfDer } from '../../src/core/crypto/signature_der.ts';
import { stampVerifiers } from '../../src/core/crypto/verify.ts';
import { activityOperations } from '../../src/operations/index.ts';
import { createCatalog } from '../../src/pipeline/catalog.ts';
import { parse } from '../../src/pipeline/parse.ts';
import { parseBody } from '../../src/pipeline/parse_body.ts';
import { startTestService } from '../support/harness.ts';
import { testDeployment } from '../support/outside.ts';
import { stampHeader } from './requests.ts';

const body = utf8(
  '{"type":"ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V4","parameters":{"subOrganizationName":"a@b.com","disableEmailRecovery":false,"rootUsers":[{"userName":"a@b.com","userEmail":"a@b.com","apiKeys":[],"authenticators":[{"attestation":{"credentialId":"RYNS2Uragga8xm1Mk6o8nd7Qvt_LbfukOyaaBfqVmCY","clientDataJson":"eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIiwiY2hhbGxlbmdlIjoiaE5ra09IYV9HOWJSa2pENC00QWY3dURSTFNFMi1aNC1YOXZWTVR0QnJiVSIsIm9yaWdpbiI6Imh0dHA6Ly9sb2NhbGhvc3Q6NDQzMyIsImNyb3NzT3JpZ2luIjpmYWxzZX0","attestationObject":"o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YVikSZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2NFAAAAAK3OAAI1vMYKZIsLJfHwVQMAIEWDUtlK2oIGvMZtTJOqPJ3e0L7fy237pDsmmgX6lZgmpQECAyYgASFYIH_KBmEEIjmE8GQ8Q2jZMN_Bz4YNHc2eLtdBF_i4dFzDIlggY00UuJq97lcCWVrNjqssBvX_8QCqecIYGaS8m1UdSH0","transports":["AUTHENTICATOR_TRANSPORT_INTERNAL"]},"authenticatorName":"qwffqwpqwfp","challenge":"hNkkOHa_G9bRkjD4-4Af7uDRLSE2-Z4-X9vVMTtBrbU"}]}],"rootQuorumThreshold":1,"wallet":{"walletName":"Default EVM Wallet","accounts":[{"path":"m/44\'/60\'/0\'/0/0","curve":"CURVE_SECP256K1","pathFormat":"PATH_FORMAT_BIP32","addressFormat":"ADDRESS_FORMAT_ETHEREUM"}]}},"timestampMs":"1701400646499","organizationId":"105d7217-3600-42b5-a818-226efdb25019"}',
);
const published = JSON.parse(new TextDecoder().decode(body));
const fingerprint = 'a26bb8ff1a480362df8f79911b7c1396aadb466a933fbfa07acd86a47cf93ce2';
const stamp = parseStamp(
  stampHeader({
    publicKey: '0371dd5ab2de3ba282ec0d5ee32a5425acd9280a1d70c5bb0e04d5c26d8ce04c41',
    scheme: 'SIGNATURE_SCHEME_TK_API_P256',
    signature:
      '304402200CF5BBA8C76E9E5DAC4564B9DF58E336320DD40FACE2F2789688E8A5B03D6C560220345D0FBCD70F9C209954403CECFB23853FF118470452B53C37C31F13F0062C61',
  }).value,
);

test('the published stamp verifies the published body, and no other', async () => {
  assert.equal(body.length, 1221);
  const signature = ecdsaSignatureOfDer(stamp.signature);
  assert.ok(signature);
  const { verify, verifyInPool } = stampVerifiers[stamp.scheme];
  assert.equal(verify(stamp.publicKey, signature, body), true);
  assert.equal(await verifyInPool(stamp.publicKey, signature, body), true);
  const altered = Uint8Array.from(body);
  altered[altered.length - 3] = 0x38;
  assert.equal(verify(stamp.publicKey, signature, altered), false);
  assert.equal(await verifyInPool(stamp.publicKey, signature, altered), false);
});

// ENV-11
test('the published fingerprint is that of the body, and the body is parsed', () => {
  assert.equal(createHash('sha256').update(body).digest('hex'), fingerprint);
  const catalog = createCatalog(activityOperations, {});
  const ports = { sha256, deployment: testDeployment };
  const operation = catalog.operation('create_sub_organization');
  const parsed = parse({ body }, parseBody(body), operation, catalog, ports);
  assert.equal(parsed.kind, 'activity');
  assert.equal(hex(parsed.fingerprint.digest), fingerprint);
  assert.equal(parsed.organizationId, '105d7217-3600-42b5-a818-226efdb25019');
  assert.equal(parsed.timestampMs, 1_701_400_646_499);
  assert.equal(parsed.version.wire.result, 'createSubOrganizationResultV4');
  assert.deepEqual(parsed.submitted, published.parameters);
});

test('the published sub-organization is created, with the passkey of its root user', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { type, parameters } = published;
  const answer = await service.submit('create_sub_organization', type, parameters);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  const result = answer.body.activity.result.createSubOrganizationResultV4;
  const as = { organizationId: result.subOrganizationId };
  const users = await service.query('list_users', {}, as);
  const [shown] = users.body.users[0].authenticators;
  assert.equal(users.body.users[0].userId, result.rootUserIds[0]);
  assert.equal(shown.authenticatorName, 'qwffqwpqwfp');
  assert.equal(shown.credentialId, 'RYNS2Uragga8xm1Mk6o8nd7Qvt_LbfukOyaaBfqVmCY');
  assert.equal(shown.aaguid, 'rc4AAjW8xgpkiwsl8fBVAw');
  assert.equal(shown.model, 'Google Chrome Mac Touch ID');
  assert.equal(shown.attestationType, 'none');
  assert.match(shown.credential.publicKey, /^pQECAyYgASFYI/);
});
