import { hashFunctions, payloadEncodings } from '../../core/base/enums.ts';
import { newPayloadBudget } from '../../core/payload/budget.ts';
import type { DigestedPayload } from '../../core/payload/index.ts';
import { answerList, list, object, oneOf, optional, text } from '../../core/schema/schema.ts';
import { explainPayloads } from '../../core/transactions/payload_explanation.ts';
import { activity, wireOf } from '../operation.ts';
import { descriptionsOfPayloads } from './descriptions.ts';
import {
  digestFor,
  maximumPayloadCharacters,
  partOf,
  signatureShape,
  signatureView,
} from './digests.ts';
import { externalSignerPubkey, requireNamedKey, signaturesOf } from './external_keys.ts';
import { findSigningKey, signWith } from './signing_key.ts';

/** Maximum payloads of one request, which take a fortieth of a second of one core. */
const maximumPayloads = 250;

export const sign_raw_payloads = activity({
  wire: wireOf('ACTIVITY_TYPE_SIGN_RAW_PAYLOADS'),
  summary: 'Signs several payloads with one wallet account or private key, all or none.',
  subject: { resource: 'PRIVATE_KEY', action: 'SIGN' },
  authority: 'keys',
  parameters: object({
    signWith: signWith(),
    payloads: list(text({ maximum: maximumPayloadCharacters }), {
      minimum: 1,
      maximum: maximumPayloads,
    }),
    encoding: oneOf(payloadEncodings),
    hashFunction: oneOf(hashFunctions),
    externalSignerPubkey: externalSignerPubkey(),
  }),
  result: object({ signatures: optional(answerList(signatureShape())) }),

  concurrent: true,

  load: async ({ organization, parameters, read, services: { pause } }) => {
    const found = await findSigningKey(parameters.signWith, organization, read);
    requireNamedKey(parameters.externalSignerPubkey, found);
    const budget = newPayloadBudget();
    const digests: DigestedPayload[] = [];
    for (const [i, payload] of parameters.payloads.entries()) {
      const field = `parameters.payloads.${i}`;
      digests.push(await digestFor(found, payload, parameters, field, { pause, budget }));
    }
    const { payloads } = parameters;
    const sources = { organization, read, pause };
    const descriptions = digests[0]?.typedData && (await descriptionsOfPayloads(payloads, sources));
    return { found, digests, descriptions };
  },
  facts: ({ parameters, loaded }) => ({
    ...loaded.found.facts,
    params: { encoding: parameters.encoding, hash_function: parameters.hashFunction },
    parts: loaded.digests.map((digest) => partOf(digest, loaded.found)),
  }),
  explain: ({ parameters, loaded: { descriptions, digests } }) =>
    explainPayloads(
      parameters,
      descriptions,
      digests.map(({ typedData }) => typedData),
    ),
  obtain: (input) => {
    const { found, digests } = input.loaded;
    const signedBytes = digests.map((digest) => digest.signedBytes);
    return signaturesOf(found, signedBytes, input);
  },
  apply: ({ obtained }) => ({ signatures: obtained.map(signatureView) }),
});
