import { hashFunctions, payloadEncodings } from '../../core/base/enums.ts';
import { object, oneOf, text, uuid } from '../../core/schema/schema.ts';
import { explainPayloads } from '../../core/transactions/payload_explanation.ts';
import { activity, olderVersion, wireOf } from '../operation.ts';
import { descriptionsOfPayloads } from './descriptions.ts';
import {
  digestFor,
  maximumPayloadCharacters,
  partOf,
  signatureShape,
  signatureView,
} from './digests.ts';
import { externalSignerPubkey, requireNamedKey, signExternally } from './external_keys.ts';
import { findSigningKey, signWith } from './signing_key.ts';

const payload = {
  payload: text({ maximum: maximumPayloadCharacters }),
  encoding: oneOf(payloadEncodings),
  hashFunction: oneOf(hashFunctions),
};

export const sign_raw_payload = activity({
  wire: wireOf('ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2', ''),
  older: [
    olderVersion({
      wire: wireOf('ACTIVITY_TYPE_SIGN_RAW_PAYLOAD'),
      parameters: object({ privateKeyId: uuid(), ...payload }),
      upgrade: ({ privateKeyId, ...rest }) => ({ signWith: privateKeyId, ...rest }),
    }),
  ],
  summary: 'Signs a payload with a wallet account or a private key.',
  subject: { resource: 'PRIVATE_KEY', action: 'SIGN' },
  authority: 'keys',
  parameters: object({
    signWith: signWith(),
    ...payload,
    externalSignerPubkey: externalSignerPubkey(),
  }),
  result: signatureShape(),

  concurrent: true,

  load: async ({ organization, parameters, read, services: { pause } }) => {
    const found = await findSigningKey(parameters.signWith, organization, read);
    requireNamedKey(parameters.externalSignerPubkey, found);
    const field = 'parameters.payload';
    const digest = await digestFor(found, parameters.payload, parameters, field, { pause });
    const sources = { organization, read, pause };
    const descriptions =
      digest.typedData && (await descriptionsOfPayloads([parameters.payload], sources));
    return { found, digest, descriptions };
  },
  facts: ({ parameters, loaded }) => ({
    ...loaded.found.facts,
    params: { encoding: parameters.encoding, hash_function: parameters.hashFunction },
    parts: [partOf(loaded.digest, loaded.found)],
  }),
  explain: ({ parameters: { payload, ...asked }, loaded }) =>
    explainPayloads({ ...asked, payloads: [payload] }, loaded.descriptions, [
      loaded.digest.typedData,
    ]),
  obtain: (input) => {
    const { found, digest } = input.loaded;
    if (found.external === undefined) return undefined;
    const ordered = signExternally(found.external, [digest.signedBytes], input);
    return ordered.then(([signature]) => signature);
  },
  apply: ({ keyring, loaded: { found, digest }, obtained }) =>
    signatureView(obtained ?? keyring.sign(found.key, found.scheme, digest.signedBytes)),
});
