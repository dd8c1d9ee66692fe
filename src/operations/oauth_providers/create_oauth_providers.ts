import { isFresh, type OidcClaims } from '../../core/auth/oidc_token.ts';
import { policyOrOwnUser } from '../../core/policy/decision/access.ts';
import { answerList, answerText, object, uuid } from '../../core/schema/schema.ts';
import {
  bringsTokens,
  checkProviders,
  createOauthProviders,
  type ProviderParameters,
  readProviders,
  useTokens,
} from '../../core/users/oauth_providers.ts';
import { requireUser } from '../../core/users/users.ts';
import { oauthProviderList, tokenProviderList } from '../credential_shapes.ts';
import { namesSubmitterKey, requireUnused } from '../oauth/registering_identity.ts';
import { activity, olderVersion, wireOf } from '../operation.ts';

const field = 'parameters.oauthProviders';
const described = (providers: readonly ProviderParameters[]) => [{ providers, field }];

export const create_oauth_providers = activity({
  wire: wireOf('ACTIVITY_TYPE_CREATE_OAUTH_PROVIDERS_V2'),
  older: [
    olderVersion({
      wire: wireOf('ACTIVITY_TYPE_CREATE_OAUTH_PROVIDERS'),
      parameters: object({ userId: uuid(), oauthProviders: tokenProviderList(1) }),
      upgrade: (parameters) => parameters,
    }),
  ],
  summary: 'Creates OAuth identities of a user, each proven by an ID token.',
  subject: { resource: 'CREDENTIAL', action: 'CREATE' },
  authority: 'credential',
  parameters: object({ userId: uuid(), oauthProviders: oauthProviderList(1) }),
  result: object({ providerIds: answerList(answerText()) }),

  access: policyOrOwnUser(({ userId }: { readonly userId: string }) => userId.toLowerCase()),
  callsExternal: ({ oauthProviders }) => bringsTokens(described(oauthProviders)),

  load: async ({ organization, parameters: { oauthProviders } }) =>
    readProviders(described(oauthProviders), organization),
  obtain: async ({ parameters, submitter, submittedWith, context, services }) => {
    const isForSelf = parameters.userId.toLowerCase() === submitter.id;
    const registers = async (claims: OidcClaims) => {
      if (namesSubmitterKey(claims, submittedWith, services.deployment)) return 'bound';
      // Public clients generate a key for the token, but stamp with the key of the session.
      if (!isForSelf || !isFresh(claims, context.now)) return undefined;
      await requireUnused(claims, services);
      return 'once';
    };
    const providers = described(parameters.oauthProviders);
    return (await checkProviders(providers, services.verifyIdToken, registers)).flat();
  },
  apply: ({ organization, parameters, obtained, context }) => {
    const user = requireUser(organization, parameters.userId);
    const created = createOauthProviders(user.id, obtained, organization, context, field);
    useTokens(obtained, organization);
    return { providerIds: created.map(({ id }) => id) };
  },
});
