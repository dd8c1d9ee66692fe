import { policyOrOwnUser } from '../../core/policy/decision/access.ts';
import { maximumInt } from '../../core/policy/language/bounds.ts';
import { answerList, answerText, numberOf, object, uuid } from '../../core/schema/schema.ts';
import { createApiKeys } from '../../core/users/api_keys.ts';
import { markGiven } from '../../core/users/sign_in_links.ts';
import { requireUser } from '../../core/users/users.ts';
import { apiKeyList, p256ApiKeyList, withP256 } from '../credential_shapes.ts';
import { activity, olderVersion, wireOf } from '../operation.ts';

export const create_api_keys = activity({
  wire: wireOf('ACTIVITY_TYPE_CREATE_API_KEYS_V2', ''),
  older: [
    olderVersion({
      wire: wireOf('ACTIVITY_TYPE_CREATE_API_KEYS'),
      parameters: object({ apiKeys: p256ApiKeyList(1), userId: uuid() }),
      upgrade: ({ apiKeys, userId }) => ({ apiKeys: withP256(apiKeys), userId }),
    }),
  ],
  summary: 'Creates API keys of a user.',
  subject: { resource: 'CREDENTIAL', action: 'CREATE' },
  authority: 'credential',
  parameters: object({ apiKeys: apiKeyList(1), userId: uuid() }),
  result: object({ apiKeyIds: answerList(answerText()) }),

  access: policyOrOwnUser(({ userId }: { readonly userId: string }) => userId.toLowerCase()),

  facts: ({ parameters: { userId, apiKeys } }) => ({
    params: {
      user_id: userId.toLowerCase(),
      // A limit on the lifetime must reject a key that does not expire.
      api_keys: apiKeys.map(({ expirationSeconds: end }) => ({
        expiration_seconds: end === undefined ? maximumInt : BigInt(numberOf(end)),
      })),
    },
  }),
  apply: ({ organization, parameters, submitter, context }) => {
    const user = requireUser(organization, parameters.userId);
    const keys = createApiKeys(
      user.id,
      parameters.apiKeys,
      organization,
      context,
      'parameters.apiKeys',
    );
    const apiKeyIds = keys.map((key) => key.id);
    markGiven(apiKeyIds, organization, { submitterId: submitter.id, ownerId: user.id });
    return { apiKeyIds };
  },
});
