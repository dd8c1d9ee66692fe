import { oauth2Providers } from '../../core/base/enums.ts';
import { maximumEnvelopeCharacters } from '../../core/bundles/oauth2_client_secret.ts';
import { answerText, object, oneOf, text, timestamps } from '../../core/schema/schema.ts';

/** The members of a request that describe a credential. */
export const oauth2CredentialParameters = () => ({
  provider: oneOf(oauth2Providers),
  clientId: text({ minimum: 1, maximum: 256 }),
  encryptedClientSecret: text({ minimum: 1, maximum: maximumEnvelopeCharacters }),
});

/** A credential in the form of answers. */
export const oauth2CredentialShape = () =>
  object({
    oauth2CredentialId: answerText(),
    organizationId: answerText(),
    provider: oneOf(oauth2Providers),
    clientId: answerText(),
    encryptedClientSecret: answerText(),
    ...timestamps(),
  });
