// Keys of published vectors, stored as private keys of the first organization and wrapped like the enclave
// does.

import { type AddressFormatName, addressOf } from '../../../src/core/address/index.ts';
import { base64url, hex } from '../../../src/core/base/bytes.ts';
import type { CurveName, HashFunction, PayloadEncoding } from '../../../src/core/base/enums.ts';
import { curves } from '../../../src/core/crypto/curves.ts';
import { createRootKeys } from '../../../src/enclave/keys/root_keys.ts';
import { createSealing } from '../../../src/enclave/keys/sealing.ts';
import { bytes, readVectors, undeclaredEmptyDomain } from '../../standards/vector_files.ts';
import { seededRandom, type TestService, testRootKey } from '../../support/harness.ts';
import { changeOrganization } from '../other_callers.ts';

/** A row of the vectors in `signRawPayload`. */
export type SigningVector = {
  readonly id: string;
  readonly curve: CurveName;
  readonly addressFormat: AddressFormatName;
  readonly address: string;
  readonly privateKey: string;
  readonly payload: string;
  readonly encoding: PayloadEncoding;
  readonly hashFunction: HashFunction;
  readonly signedBytes: string;
  readonly r: string;
  readonly s: string;
  readonly v: string;
  readonly verifyKey?: string;
  readonly compare: 'exact' | 'verify';
};

const vectors = readVectors<{ signRawPayload: SigningVector[] }>('signing.json');

/** The vectors that can be signed. */
export const signRawPayload = vectors.signRawPayload.filter(
  ({ id }) => id !== undeclaredEmptyDomain,
);

/** Stores the keys of vectors, each with the address formats of its vectors; returns their ids. */
export async function storeKeys(
  service: TestService,
  vectors: readonly Pick<SigningVector, 'curve' | 'privateKey' | 'addressFormat'>[],
): Promise<string[]> {
  const { organizationId } = service.root;
  const wrapping = createSealing('wrap', createRootKeys(testRootKey()), seededRandom('wrapping'));
  const ids: string[] = [];
  const ofKeys = Map.groupBy(vectors, ({ curve, privateKey }) => `${curve}/${privateKey}`);
  await changeOrganization(service, (draft, newId) => {
    for (const ofKey of ofKeys.values()) {
      const [first] = ofKey;
      if (first === undefined) continue;
      const { curve, privateKey } = first;
      const id = newId();
      ids.push(id);
      const publicKey = curves[curve].publicKeyOf(bytes(privateKey));
      const formats = new Set(ofKey.map((vector) => vector.addressFormat));
      const place = { organizationId, kind: 'private_key_secret', id, version: 1 };
      draft.put('private_key', {
        id,
        name: 'Vector key',
        curve,
        publicKey: hex(publicKey),
        addresses: [...formats].map((format) => ({
          format,
          address: addressOf(format, curve, publicKey),
        })),
        tagIds: [],
        secret: base64url(wrapping.seal(place, bytes(privateKey))),
        exported: false,
        imported: true,
        createdAtMs: service.now(),
        updatedAtMs: service.now(),
      });
    }
  });
  return ids;
}
