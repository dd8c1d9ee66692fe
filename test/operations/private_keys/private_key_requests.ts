import assert from 'node:assert/strict';
import type { TestService } from '../../support/harness.ts';

/** A private key as a request describes it. */
export const described = (changes: object = {}) => ({
  privateKeyName: 'Key',
  curve: 'CURVE_SECP256K1',
  privateKeyTags: [] as string[],
  addressFormats: ['ADDRESS_FORMAT_ETHEREUM'],
  ...changes,
});

/** Makes private keys as the root user, of the first organization or as told. */
export async function makePrivateKeys(
  service: TestService,
  privateKeys: readonly object[] = [described()],
  as: Parameters<TestService['submit']>[3] = {},
): Promise<{ privateKeyId: string; addresses: { format: string; address: string }[] }[]> {
  const type = 'ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2';
  const { status, body } = await service.submit('create_private_keys', type, { privateKeys }, as);
  assert.equal(status, 200, JSON.stringify(body));
  return body.activity.result.createPrivateKeysResultV2.privateKeys;
}

/** Makes a private key tag on some keys. */
export async function makeTag(
  service: TestService,
  privateKeyTagName: string,
  privateKeyIds: readonly string[] = [],
  as: Parameters<TestService['submit']>[3] = {},
): Promise<string> {
  const type = 'ACTIVITY_TYPE_CREATE_PRIVATE_KEY_TAG';
  const parameters = { privateKeyTagName, privateKeyIds };
  const { status, body } = await service.submit('create_private_key_tag', type, parameters, as);
  assert.equal(status, 200, JSON.stringify(body));
  return body.activity.result.createPrivateKeyTagResult.privateKeyTagId;
}

/** Tags of a private key, as it shows them. */
export async function tagsOf(service: TestService, privateKeyId: string): Promise<string[]> {
  const { status, body } = await service.query('get_private_key', { privateKeyId });
  assert.equal(status, 200, JSON.stringify(body));
  return body.privateKey.privateKeyTags;
}
