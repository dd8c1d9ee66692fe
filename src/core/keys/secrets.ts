// Rules of secret texts of an organization: the public members of each, and its separate text.

import type { Context } from '../base/context.ts';
import { fail, failField } from '../errors/errors.ts';
import { checkLimit } from '../organization/limits.ts';
import type { Secret, SecretText, StaticProperty } from '../organization/model.ts';
import { requiredRecord } from '../organization/required_record.ts';
import type { OrganizationDraft } from '../organization/state.ts';
import type { Keyring } from './keyring.ts';

/** Maximum number of secrets in one request; an answer has four characters for each byte. */
export const maximumSecretsAtOnce = 10;
/** Maximum number of properties of a secret. They are always loaded with the organization. */
export const maximumStaticProperties = 16;
export const maximumPropertyKeyCharacters = 64;
export const maximumPropertyValueCharacters = 256;

/** Finds a secret by its ID in any letter case. Raises `resource_not_found`. */
export const requireSecret = requiredRecord('secret', 'secret');

/** Returns the stored properties. Raises `field_invalid`, naming `field`, for a duplicate key. */
export function staticPropertiesOf(
  described: readonly { readonly key: string; readonly value?: string }[],
  field: string,
): readonly StaticProperty[] {
  const keys = new Set<string>();
  return described.map(({ key, value = '' }, i) => {
    if (keys.has(key)) failField(`${field}.${i}.key`, `\`${key}\` is named twice`);
    keys.add(key);
    return { key, value };
  });
}

/**
 * Stores a text; the caller wipes its bytes. Raises `label_not_unique` for the name of another secret, and
 * `limit_exceeded`.
 */
export function createSecret(
  described: { readonly name?: string; readonly staticProperties: readonly StaticProperty[] },
  text: Uint8Array,
  organization: OrganizationDraft,
  keyring: Keyring,
  context: Context,
): Secret {
  const { name, staticProperties } = described;
  const present = organization.list('secret');
  checkLimit('secrets', present.length + 1, organization);
  if (name !== undefined && present.some((secret) => secret.name === name)) {
    fail('label_not_unique', { resource: 'secret', label: name });
  }
  const id = context.newId();
  const times = { createdAtMs: context.now, updatedAtMs: context.now };
  const secret: Secret = {
    id,
    ...(name === undefined ? {} : { name }),
    staticProperties,
    ...times,
  };
  organization.put('secret', secret);
  organization.add('secret_text', { id, secret: keyring.keepText(id, text), ...times });
  return secret;
}

/** Deletes secrets with their texts. */
export function deleteSecrets(secrets: readonly Secret[], organization: OrganizationDraft): void {
  for (const { id, createdAtMs, updatedAtMs } of secrets) {
    organization.remove('secret', id);
    // A removed row only needs its ID, so the text is not fetched.
    const text: SecretText = { id, secret: '', createdAtMs, updatedAtMs };
    organization.drop('secret_text', text);
  }
}
