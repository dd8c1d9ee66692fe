import { wipe } from '../base/bytes.ts';
import { writeExportBundle } from '../bundles/export_bundle.ts';
import { newPrivateKey } from '../crypto/key_agreement.ts';
import type { ServiceSigner } from '../crypto/service_keys.ts';

type ExportServices = {
  readonly serviceKeys: ServiceSigner;
  readonly random: (length: number) => Uint8Array;
};

/** Seals a secret to a target key of `parseTargetKey` with a new ephemeral key. Does not wipe the secret. */
export function exportBundleOf(
  secret: Uint8Array,
  target: { readonly organizationId: string; readonly targetPublicKey: Uint8Array },
  { serviceKeys, random }: ExportServices,
): string {
  const ephemeralPrivateKey = newPrivateKey(random);
  try {
    return writeExportBundle({ ...target, plaintext: secret, ephemeralPrivateKey }, serviceKeys);
  } finally {
    wipe(ephemeralPrivateKey);
  }
}
