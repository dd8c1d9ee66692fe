import assert from 'node:assert/strict';
import type { HolderPurpose } from '../../../src/core/keys/organization_keys.ts';
import type { Sender, TestAnswer, TestService } from '../../support/harness.ts';
import { derivation, sealedSecret, secretOf } from '../../support/organization_keys.ts';

/** Returns the answer of get_organization_key. */
// biome-ignore lint/suspicious/noExplicitAny: answers are looked into by path in tests
export async function keyState(service: TestService, as: Sender = {}): Promise<any> {
  const { status, body } = await service.query('get_organization_key', {}, as);
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

/** Seals a secret to the answering enclave, for the current state of the organization. */
export async function secretFor(
  service: TestService,
  purpose: HolderPurpose,
  { name = 'treasurer', secret = secretOf(name) }: { name?: string; secret?: Uint8Array } = {},
  as: Sender = {},
): Promise<string> {
  const { body } = await service.query('get_latest_boot_proof', {}, as);
  const { organizationKey: key } = await keyState(service, as);
  return sealedSecret(secret, {
    ephemeralKey: body.bootProof.ephemeralPublicKeyHex,
    organizationId: as.organizationId ?? service.root.organizationId,
    purpose,
    mark: key && { id: key.organizationKeyId, seals: Number(key.sealCount) },
  });
}

/** Returns the parameters of a new holder. */
export const describedHolder = async (
  service: TestService,
  name = 'treasurer',
  as: Sender = {},
) => ({
  holderName: name,
  type: 'KEY_HOLDER_TYPE_PASSPHRASE',
  derivation,
  encryptedSecret: await secretFor(service, 'hold', { name }, as),
});

/** Creates the key of an organization, and returns the id of its holder. */
export async function makeKey(
  service: TestService,
  name = 'treasurer',
  as: Sender = {},
): Promise<string> {
  const { status, body } = await service.submit(
    'create_organization_key',
    'ACTIVITY_TYPE_CREATE_ORGANIZATION_KEY',
    await describedHolder(service, name, as),
    as,
  );
  assert.equal(status, 200, JSON.stringify(body));
  return body.activity.result.createOrganizationKeyResult.holderId;
}

export async function addHolder(
  service: TestService,
  name: string,
  as: Sender = {},
): Promise<TestAnswer> {
  return service.submit(
    'create_key_holder',
    'ACTIVITY_TYPE_CREATE_KEY_HOLDER',
    await describedHolder(service, name, as),
    as,
  );
}

export const removeHolder = (
  service: TestService,
  holderId: string,
  as: Sender = {},
): Promise<TestAnswer> =>
  service.submit('delete_key_holder', 'ACTIVITY_TYPE_DELETE_KEY_HOLDER', { holderId }, as);

export async function seal(service: TestService, as: Sender = {}): Promise<void> {
  const { status, body } = await service.submit(
    'seal_organization',
    'ACTIVITY_TYPE_SEAL_ORGANIZATION',
    {},
    as,
  );
  assert.equal(status, 200, JSON.stringify(body));
}

/** Unseals an organization, by default with the secret of the treasurer. */
export async function unseal(
  service: TestService,
  holderId: string,
  of: { name?: string; secret?: Uint8Array; encryptedSecret?: string } = {},
  as: Sender = {},
): Promise<TestAnswer> {
  const encryptedSecret = of.encryptedSecret ?? (await secretFor(service, 'unseal', of, as));
  return service.submit(
    'unseal_organization',
    'ACTIVITY_TYPE_UNSEAL_ORGANIZATION',
    { holderId, encryptedSecret },
    as,
  );
}

/** Asserts that an answer refuses the request because the organization is sealed. */
export function assertSealed({ status, body }: TestAnswer): void {
  assert.equal(status, 400, JSON.stringify(body));
  assert.equal(body.code, 9);
  assert.match(body.message, /^organization [0-9a-f-]{36} is sealed: a holder of its key unseals/);
}
