// Secrets that clients import and export with the unmodified public package.

import assert from 'node:assert/strict';
import { decryptSecretBundle, encryptSecretToBundle } from '@turnkey/crypto';
import { hex, utf8 } from '../../../src/core/base/bytes.ts';
import type { Sender, TestService } from '../../support/harness.ts';
import {
  clientKey,
  sealedBytes,
  signerKey,
  targetOf,
  targetPublicKey,
} from '../wallets/transfer_requests.ts';

export const encryptionSuite = 'TRANSPORT_ENCRYPTION_SUITE_ENCLAVE_ENCRYPT_V1';

/** A secret in the form of requests. */
export type DescribedSecret = {
  readonly name?: string;
  readonly secretPayload: string;
  readonly targetPublicKey: string;
  readonly encryptionSuite: string;
  readonly staticProperties?: readonly { readonly key: string; readonly value?: string }[];
};

/** Requests new target keys; returns the signed messages. */
export async function initSecrets(
  service: TestService,
  numSecrets = 1,
  as: Sender = {},
): Promise<readonly string[]> {
  const type = 'ACTIVITY_TYPE_INIT_IMPORT_SECRETS';
  const parameters = { encryptionSuite, numSecrets };
  const { status, body } = await service.submit('init_import_secrets', type, parameters, as);
  assert.equal(status, 200, JSON.stringify(body));
  return body.activity.result.initImportSecretsResult.enclaveTargetMessages;
}

/** Returns a secret with a text sealed to a target, or to a new target. */
export async function sealedSecret(
  service: TestService,
  plaintext: string,
  {
    as = {},
    message,
    ...described
  }: Pick<DescribedSecret, 'name' | 'staticProperties'> & {
    readonly as?: Sender;
    readonly message?: string;
  } = {},
): Promise<DescribedSecret> {
  const [made] = message === undefined ? await initSecrets(service, 1, as) : [message];
  const sealed = await encryptSecretToBundle({
    plaintext,
    ingressTargetBundle: made ?? '',
    organizationId: as.organizationId ?? service.root.organizationId,
    dangerouslyOverrideSignerPublicKey: signerKey,
  });
  return { ...described, ...sealed, encryptionSuite };
}

/** Returns a secret with a text sealed to a target, with fixed randomness. */
export const describedSecret = (message: string, text: string): DescribedSecret => ({
  secretPayload: sealedBytes(message, utf8(text)),
  targetPublicKey: targetOf(message),
  encryptionSuite,
});

/** Imports a text; returns the id of its secret. */
export async function makeSecret(
  service: TestService,
  plaintext: string,
  described: Parameters<typeof sealedSecret>[2] = {},
): Promise<string> {
  const secrets = [await sealedSecret(service, plaintext, described)];
  const type = 'ACTIVITY_TYPE_IMPORT_SECRETS';
  const { status, body } = await service.submit('import_secrets', type, { secrets }, described.as);
  assert.equal(status, 200, JSON.stringify(body));
  return body.activity.result.importSecretsResult.secretIds[0];
}

/** Returns the parameters that export a secret to the client's key. */
export const wantedSecret = (secretId: string) => ({ secretId, targetPublicKey, encryptionSuite });

/** Opens the text in a payload of export_secrets. */
export const openedSecret = (secretPayload: string, organizationId: string): Promise<string> =>
  decryptSecretBundle({
    secretPayload,
    embeddedPrivateKey: hex(clientKey),
    organizationId,
    dangerouslyOverrideSignerPublicKey: signerKey,
  });

/** Exports secrets and returns their texts, like a client. */
export async function exportedTexts(
  service: TestService,
  secretIds: readonly string[],
  as: Sender = {},
): Promise<readonly string[]> {
  const parameters = { secrets: secretIds.map(wantedSecret) };
  const type = 'ACTIVITY_TYPE_EXPORT_SECRETS';
  const { status, body } = await service.submit('export_secrets', type, parameters, as);
  assert.equal(status, 200, JSON.stringify(body));
  const payloads: readonly string[] = body.activity.result.exportSecretsResult.secretPayloads;
  const organizationId = as.organizationId ?? service.root.organizationId;
  return Promise.all(payloads.map((payload) => openedSecret(payload, organizationId)));
}

/** Returns the rows with texts of these secrets. */
export async function storedTexts(
  service: TestService,
  ids: readonly string[],
  organizationId = service.root.organizationId,
): Promise<number> {
  return (await service.store.port.records({ organizationId, kind: 'secret_text', ids })).length;
}

/** Returns the rows of list_secrets. */
// biome-ignore lint/suspicious/noExplicitAny: answers are looked into by path in tests
export async function listedSecrets(service: TestService, as: Sender = {}): Promise<any[]> {
  const { status, body } = await service.query(
    'list_secrets',
    { paginationOptions: { limit: '100' } },
    as,
  );
  assert.equal(status, 200, JSON.stringify(body));
  return body.secrets;
}
