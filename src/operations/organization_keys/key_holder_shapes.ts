// Shapes of organization keys and their holders.

import { maximumMessageCharacters } from '../../core/bundles/client_message.ts';
import { organizationKeyBytes } from '../../core/keys/organization_keys.ts';
import { keyHolderTypes } from '../../core/organization/records/organization_key.ts';
import {
  answerList,
  answerText,
  bearerText,
  label,
  object,
  oneOf,
  text,
  timestamp,
} from '../../core/schema/schema.ts';

/** A scrypt derivation has at most 110 characters; a passkey derivation names its credential and a salt. */
const maximumDerivationCharacters = 2_000;

/** A secret of a holder, sealed to the key of the running enclave. */
const secretBounds = { minimum: 1, maximum: maximumMessageCharacters(organizationKeyBytes) };

/** The secret of an unseal, which other users could replay, so activities show only its digest. */
export const unsealingSecret = () => bearerText(secretBounds);

/** The members of a request for a new holder. */
export const newHolderMembers = () => ({
  holderName: label(),
  type: oneOf(keyHolderTypes),
  derivation: text({ minimum: 1, maximum: maximumDerivationCharacters }),
  encryptedSecret: text(secretBounds),
});

/** The API form of an organization key. */
export const organizationKeyShape = () =>
  object({
    organizationKeyId: answerText(),
    sealCount: answerText(),
    holders: answerList(
      object({
        holderId: answerText(),
        holderName: answerText(),
        type: oneOf(keyHolderTypes),
        derivation: answerText(),
        createdAt: timestamp(),
      }),
    ),
    createdAt: timestamp(),
  });
