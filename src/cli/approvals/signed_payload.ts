// Formats signed payloads before a vote, with the parsers of the enclave.

import type { VerifiedActivity } from '../../client/verified_activity.ts';
import { ServiceError } from '../../core/errors/errors.ts';
import { readTypedData } from '../../core/payload/eip712.ts';
import { typedRows } from '../../core/payload/eip712_rows.ts';
import type { Descriptions } from '../../core/transactions/described.ts';
import type { KnownAddresses } from '../../core/transactions/headline/headline.ts';
import {
  chainOfPayload,
  explainPayloads,
  type SignedPayloads,
  signedTexts,
} from '../../core/transactions/payload_explanation.ts';
import { visible } from '../output/output.ts';
import { headlineLines } from './headline_lines.ts';

const maximumValues = 200;
const maximumTextLines = 200;

/** Returns the lines for all payloads of a request; undefined if a payload cannot be read. */
export function payloadLines(
  intent: VerifiedActivity['intent'],
  descriptions?: Descriptions,
  known?: KnownAddresses,
): readonly string[] | undefined {
  // The parsers need `Uint8Array.fromHex`.
  if (!('fromHex' in Uint8Array)) return undefined;
  const { payload, payloads } = intent;
  const request = {
    signWith: String(intent['signWith'] ?? intent['privateKeyId']),
    payloads: (Array.isArray(payloads) ? payloads : [payload]).map(String),
    encoding: String(intent['encoding']),
    hashFunction: String(intent['hashFunction']),
  };
  try {
    const explained = explainPayloads(request, descriptions);
    const { summary, effects, warnings } = explained;
    const chain = chainOfPayload(request);
    const lines = [
      summary,
      ...effects.filter(({ text }) => text !== summary).map(({ text }) => `- ${text}`),
      ...valueLines(request),
      ...textLines(request),
      ...warnings.map(({ text }) => `warning: ${text}`),
      `signing account  ${request.signWith}`,
    ];
    return [
      ...(chain === undefined
        ? []
        : headlineLines({ ...explained, chain }, request.signWith, known)),
      ...lines.map((line) => `  ${visible(line)}`),
    ];
  } catch (error) {
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}

/** Returns a line for each value of typed data. */
function valueLines({ payloads, encoding }: SignedPayloads): readonly string[] {
  if (encoding !== 'PAYLOAD_ENCODING_EIP712') return [];
  const rows = payloads.flatMap((payload) =>
    typedRows(readTypedData(payload, 'payload')).map(({ path, text }) => `${path}  ${text}`),
  );
  return cut(rows, maximumValues, 'values');
}

/** Returns the lines of messages that have several lines or are longer than the explanation shows. */
function textLines(request: SignedPayloads): readonly string[] {
  return signedTexts(request).flatMap((text) => {
    if (text === undefined || !(text.includes('\n') || text.length > 1_000)) return [];
    const lines = text.split('\n').map((line) => `| ${line}`);
    return cut(lines, maximumTextLines, 'lines');
  });
}

function cut(lines: readonly string[], maximum: number, what: string): readonly string[] {
  const hidden = lines.length - maximum;
  if (hidden <= 0) return lines;
  return [
    ...lines.slice(0, maximum),
    `… ${hidden} more ${what}: keywright activity show ID --json has all of them`,
  ];
}
