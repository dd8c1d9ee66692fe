// Shapes of secrets: texts that an organization stores.

import { maximumMessageCharacters } from '../../core/bundles/client_message.ts';
import { maximumTextBytes } from '../../core/keys/import_targets.ts';
import {
  maximumPropertyKeyCharacters,
  maximumPropertyValueCharacters,
  maximumStaticProperties,
} from '../../core/keys/secrets.ts';
import {
  answerList,
  answerText,
  list,
  object,
  oneOf,
  optional,
  text,
} from '../../core/schema/schema.ts';

/** Encryption of texts in transit, like that of wallets and keys. */
export const encryptionSuite = () => oneOf(['TRANSPORT_ENCRYPTION_SUITE_ENCLAVE_ENCRYPT_V1']);

/** The secret that a client sealed to a target of init_import_secrets. */
export const secretPayload = () =>
  text({
    minimum: 1,
    maximum: maximumMessageCharacters(maximumTextBytes),
  });

/** The members that policies may read of a secret. */
export const staticPropertyList = () =>
  list(
    object({
      key: text({ minimum: 1, maximum: maximumPropertyKeyCharacters }),
      value: optional(text({ maximum: maximumPropertyValueCharacters })),
    }),
    { maximum: maximumStaticProperties },
  );

/** The visible members of a secret, without its text. */
export const secretShape = () =>
  object({
    secretId: answerText(),
    name: optional(answerText()),
    staticProperties: answerList(object({ key: answerText(), value: answerText() })),
    createdAtUnixMs: answerText(),
  });
