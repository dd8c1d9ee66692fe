// Explains signed payloads with the code and the words of the enclave.

import { ServiceError } from '../../../src/core/errors/errors.ts';
import type { TransactionExplanation } from '../../../src/core/organization/records/transaction_explanation.ts';
import { readTypedData } from '../../../src/core/payload/eip712.ts';
import { typedRows } from '../../../src/core/payload/eip712_rows.ts';
import type { Descriptions } from '../../../src/core/transactions/described.ts';
import {
  chainOfPayload,
  explainPayloads,
  type SignedPayloads,
  signedTexts,
} from '../../../src/core/transactions/payload_explanation.ts';
import type { Difference } from './differences.ts';

export type ReadPayloads = {
  readonly explanation: TransactionExplanation;
  readonly chain: string | undefined;
  /** Each value of typed data, one row a value. */
  readonly values: readonly Difference[];
  /** Messages of several lines or more than 1,000 characters, which the explanation shortens. */
  readonly texts: readonly string[];
};

/** Returns undefined if a payload does not fit its encoding. */
export function readPayloads(
  request: SignedPayloads,
  descriptions?: Descriptions,
): ReadPayloads | undefined {
  try {
    const texts = signedTexts(request).filter((text) => text !== undefined);
    return {
      explanation: explainPayloads(request, descriptions),
      chain: chainOfPayload(request),
      values: request.encoding === 'PAYLOAD_ENCODING_EIP712' ? valuesOf(request.payloads) : [],
      texts: texts.filter((text) => text.includes('\n') || text.length > 1_000),
    };
  } catch (error) {
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}

const valuesOf = (payloads: readonly string[]): readonly Difference[] =>
  payloads.flatMap((payload, i) =>
    typedRows(readTypedData(payload, 'payload')).map(({ path, type, text }) => ({
      what: `${payloads.length === 1 ? '' : `${i + 1}. `}${path}: ${type}`,
      signed: text,
    })),
  );
