// Payloads that say what they mean, typed data (EIP-712) and authorizations (EIP-7702), as people read them:
// by the readers of the enclave, from the bytes that were signed.

import type { VerifiedActivity } from '../../client/verified_activity.ts';
import { ServiceError } from '../../core/errors/errors.ts';
import { domainFacts, readTypedData } from '../../core/payload/eip712.ts';
import { typedRows } from '../../core/payload/eip712_rows.ts';
import { readAuthorization } from '../../core/payload/eip7702.ts';
import {
  delegationSentence,
  delegationWarning,
  isNoCode,
} from '../../core/transactions/ethereum/delegation_explanation.ts';
import { visible } from '../output/output.ts';

const maximumValues = 200;

type Read = (payload: string, signWith: string) => readonly string[];

const readers: Readonly<Record<string, Read>> = {
  PAYLOAD_ENCODING_EIP712: typedDataLines,
  PAYLOAD_ENCODING_EIP7702_AUTHORIZATION: authorizationLines,
};

/** The lines of all payloads of a request; undefined where one of them is only bytes, or cannot be read. */
export function payloadLines(intent: VerifiedActivity['intent']): readonly string[] | undefined {
  const { payload, payloads, encoding } = intent;
  const read = Object.hasOwn(readers, String(encoding)) ? readers[String(encoding)] : undefined;
  // Engines that lack this cannot load the readers.
  if (read === undefined || !('fromHex' in Uint8Array)) return undefined;
  const signWith = String(intent['signWith'] ?? intent['privateKeyId']);
  const texts = Array.isArray(payloads) ? payloads : [payload];
  try {
    const lines = texts.flatMap((text) => read(String(text), signWith));
    return [...lines, `with         ${signWith}`].map((line) => `  ${visible(line)}`);
  } catch (error) {
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}

function authorizationLines(payload: string, signWith: string): readonly string[] {
  const authorization = readAuthorization(payload, 'payload');
  return [
    `${delegationSentence(authorization, signWith)}.`,
    ...(isNoCode(authorization.address) ? [] : [`warning: ${delegationWarning}`]),
    ...(authorization.chainId === 0n
      ? ['warning: It can be used once on every chain where the account has this nonce.']
      : []),
  ];
}

function typedDataLines(payload: string): readonly string[] {
  const data = readTypedData(payload, 'payload');
  const { name = '', verifyingContract } = domainFacts(data);
  const rows = typedRows(data).map(({ path, text }) => `${path}  ${text}`);
  const hidden = rows.length - maximumValues;
  return [
    `Typed data: ${data.primaryType} for ${name || 'an application without a name'}.`,
    ...rows.slice(0, maximumValues),
    ...(hidden > 0
      ? [`… ${hidden} more values: keywright activity show ID --json has all of them`]
      : []),
    ...(verifyingContract === undefined
      ? ['warning: No contract is named: other applications may take the signature, too.']
      : []),
  ];
}
