import assert from 'node:assert/strict';
import type { TestService } from '../../support/harness.ts';

/** Returns a private key in the form of requests. */
export const described = (changes: object = {}) => ({
  privateKeyName: 'Key',
  curve: 'CURVE_SECP256K1',
  privateKeyTags: [] as string[],
  addressFormats: ['ADDRESS_FORMAT_ETHEREUM'],
  ...changes,
});

/** Creates private keys, by default as the root user of the first organization. */
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

/** Creates a private key tag on some keys. */
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

/** Returns the tags of a private key as the service shows them. */
export async function tagsOf(service: TestService, privateKeyId: string): Promise<string[]> {
  const { status, body } = await service.query('get_private_key', { privateKeyId });
  assert.equal(status, 200, JSON.stringify(body));
  return body.privateKey.privateKeyTags;
}
