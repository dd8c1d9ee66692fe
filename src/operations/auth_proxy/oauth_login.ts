import { claimedIdentity } from '../../core/auth/oidc_token.ts';
import { fail } from '../../core/errors/errors.ts';
import { identityValue } from '../../core/organization/indexes/indexes.ts';
import { answerText, boolean, object, optional, uuid } from '../../core/schema/schema.ts';
import { apiPublicKey, oidcToken } from '../credential_shapes.ts';
import { methodOfIdentity } from './identity_provider.ts';
import { proxy } from './proxy_operation.ts';

export const oauth_login = proxy({
  summary: 'Starts a session for a user with an ID token of an identity provider.',
  body: object({
    oidcToken: oidcToken(),
    publicKey: apiPublicKey(),
    invalidateExisting: optional(boolean()),
    organizationId: optional(uuid()),
  }),
  response: object({ session: answerText() }),

  answer: async (call, { organizationId: named, ...body }) => {
    const identity = claimedIdentity(body.oidcToken);
    call.requireMethod(methodOfIdentity(identity, call));
    // Verified before the lookup, so that forged tokens reveal no accounts.
    const organizationId =
      named === undefined
        ? await call.childWith(
            'child_identity',
            identityValue(await call.verifyIdToken(body.oidcToken)),
          )
        : await call.requireChild(named);
    if (organizationId === undefined) {
      fail('identity_not_found', { organizationId: call.organization.id });
    }
    const expirationSeconds = String(call.settings.sessionExpirationSeconds);
    const { result } = await call.act(
      'oauth_login',
      { ...body, expirationSeconds },
      { organizationId },
    );
    return { session: String(result['session']) };
  },
});
