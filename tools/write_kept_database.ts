// Writes the database that every later release must open and sign with: test/vectors/releases/VERSION. Run
// it for a release before its tag; after the tag the folder never changes.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import manifest from '../package.json' with { type: 'json' };
import { hex } from '../src/core/base/bytes.ts';
import { knownRules } from '../src/core/custody/rules.ts';
import { makePolicy } from '../test/operations/policies/policy_requests.ts';
import { makeUser } from '../test/operations/users/user_requests.ts';
import {
  startTestService,
  type TestAnswer,
  testKey,
  testRootKey,
} from '../test/support/harness.ts';

const folder = join(import.meta.dirname, '../test/vectors/releases', manifest.version);
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const file = join(folder, 'keywright.sqlite');
const service = await startTestService({ databaseFile: file });

function resultOf(answer: TestAnswer) {
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  return answer.body.activity;
}

const accounts = [
  ['CURVE_SECP256K1', "m/44'/60'/0'/0/0", 'ADDRESS_FORMAT_ETHEREUM'],
  ['CURVE_ED25519', "m/44'/501'/0'/0'", 'ADDRESS_FORMAT_SOLANA'],
].map(([curve, path, addressFormat]) => ({
  curve,
  path,
  addressFormat,
  pathFormat: 'PATH_FORMAT_BIP32',
}));
const wallet = resultOf(
  await service.submit('create_wallet', 'ACTIVITY_TYPE_CREATE_WALLET', {
    walletName: 'Kept',
    accounts,
  }),
);
const { addresses } = wallet.result.createWalletResult;
const signerId = await makeUser(service, 'Signer');
const policyId = await makePolicy(service, 'Signer signs', {
  condition: "activity.action == 'SIGN'",
  consensus: `approvers.any(user, user.id == '${signerId}')`,
});
const payload = 'signed by every release';
const signatures = [];
for (const [signWith, hashFunction] of [
  [addresses[0], 'HASH_FUNCTION_SHA256'],
  [addresses[1], 'HASH_FUNCTION_NOT_APPLICABLE'],
]) {
  const parameters = { signWith, payload, encoding: 'PAYLOAD_ENCODING_TEXT_UTF8', hashFunction };
  const signed = resultOf(
    await service.submit('sign_raw_payload', 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2', parameters, {
      key: testKey('Signer'),
    }),
  );
  const { r, s, v } = signed.result.signRawPayloadResult;
  signatures.push({ parameters, activityId: signed.id, result: { r, s, v } });
}
const { organizationId, userId, apiKeyId, authProxyConfigId } = service.root;
await service.close();

// One file without a log, and without the space of overwritten rows.
const database = new DatabaseSync(file);
database.exec('PRAGMA journal_mode = DELETE; VACUUM');
database.close();

const keyOf = (name: string) => {
  const { privateKey, publicKey } = testKey(name);
  return { apiPublicKey: publicKey, apiPrivateKey: hex(privateKey) };
};
const kept = {
  rootKey: hex(testRootKey()),
  rules: knownRules,
  root: { organizationId, userId, apiKeyId, authProxyConfigId, ...keyOf('root') },
  signer: { userId: signerId, ...keyOf('Signer') },
  policyId,
  addresses,
  signatures,
};
writeFileSync(join(folder, 'kept.json'), `${JSON.stringify(kept, null, 2)}\n`);
