// Shapes of organization keys and their holders.

import { maximumMessageCharacters } from '../../core/bundles/client_message.ts';
import { organizationKeyBytes } from '../../core/keys/organization_keys.ts';
import { keyHolderTypes } from '../../core/organization/records/organization_key.ts';
import {
  answerList,
  answerText,
  label,
  object,
  oneOf,
  text,
  timestamp,
} from '../../core/schema/schema.ts';

/** A scrypt derivation has at most 110 characters; a passkey derivation names its credential and a salt. */
const maximumDerivationCharacters = 2_000;

/** The secret of a holder, sealed to the key of the running enclave. */
export const encryptedSecret = () =>
  text({ minimum: 1, maximum: maximumMessageCharacters(organizationKeyBytes) });

/** The members of a request for a new holder. */
export const newHolderMembers = () => ({
  holderName: label(),
  type: oneOf(keyHolderTypes),
  derivation: text({ minimum: 1, maximum: maximumDerivationCharacters }),
  encryptedSecret: encryptedSecret(),
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
