import assert from 'node:assert/strict';
import type { Sender, TestService } from '../../support/harness.ts';

/** Sends create_api_keys in its newest form. */
export const sendApiKeys = (
  service: TestService,
  userId: string,
  apiKeys: readonly object[],
  as: Sender = {},
) => service.submit('create_api_keys', 'ACTIVITY_TYPE_CREATE_API_KEYS_V2', { userId, apiKeys }, as);

/** Registers API keys of a user, as the root user by default. */
export async function makeApiKeys(
  service: TestService,
  userId: string,
  apiKeys: readonly object[],
  as: Sender = {},
): Promise<string[]> {
  const { status, body } = await sendApiKeys(service, userId, apiKeys, as);
  assert.equal(status, 200, JSON.stringify(body));
  return body.activity.result.createApiKeysResult.apiKeyIds;
}

/** Returns the names of a user's API keys, oldest first. */
export async function keyNames(service: TestService, userId: string): Promise<string[]> {
  const { status, body } = await service.query('get_api_keys', { userId });
  assert.equal(status, 200, JSON.stringify(body));
  return body.apiKeys.map((key: { apiKeyName: string }) => key.apiKeyName);
}
