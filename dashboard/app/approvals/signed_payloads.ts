// Payloads that are signed, by the readers of the enclave and in its words.

import { ServiceError } from '../../../src/core/errors/errors.ts';
import type { TransactionExplanation } from '../../../src/core/organization/records/transaction_explanation.ts';
import { readTypedData } from '../../../src/core/payload/eip712.ts';
import { typedRows } from '../../../src/core/payload/eip712_rows.ts';
import type { Descriptions } from '../../../src/core/transactions/described.ts';
import {
  explainPayloads,
  type SignedPayloads,
  signedTexts,
} from '../../../src/core/transactions/payload_explanation.ts';
import type { Difference } from './differences.ts';

export type ReadPayloads = {
  readonly explanation: TransactionExplanation;
  /** Each value of typed data. */
  readonly values: readonly Difference[];
  /** Messages with several lines; the explanation shows only one of them. */
  readonly texts: readonly string[];
};

/** Reads payloads. Returns undefined if one of them is not of its encoding. */
export function readPayloads(
  asked: SignedPayloads,
  descriptions?: Descriptions,
): ReadPayloads | undefined {
  try {
    const texts = signedTexts(asked).filter((text) => text !== undefined);
    return {
      explanation: explainPayloads(asked, descriptions),
      values: asked.encoding === 'PAYLOAD_ENCODING_EIP712' ? valuesOf(asked.payloads) : [],
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
