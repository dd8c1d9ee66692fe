// Generates the tables of docs/signing.md from the code.

import {
  type HashFunction,
  hashFunctions,
  type PayloadEncoding,
  payloadEncodings,
} from '../../../src/core/base/enums.ts';
import { payloadBudgetLimits } from '../../../src/core/payload/budget.ts';
import {
  combinations,
  type SigningScheme,
  signingSchemes,
} from '../../../src/core/payload/combinations.ts';
import { maxTypedDataLength } from '../../../src/core/payload/eip712.ts';
import { typeLimits } from '../../../src/core/payload/eip712_types.ts';
import { valueLimits } from '../../../src/core/payload/eip712_values.ts';
import { maxAuthorizationLength } from '../../../src/core/payload/eip7702.ts';
import { maxPayloadLength } from '../../../src/core/payload/index.ts';

const schemeTitles: Record<SigningScheme, string> = {
  ecdsa_secp256k1: 'ECDSA, secp256k1',
  ecdsa_p256: 'ECDSA, P-256',
  schnorr: 'Schnorr (P2TR and Spark addresses)',
  eddsa: 'Ed25519',
};

/** Returns the table of accepted hash functions, with encodings as rows and ways of signing as columns. */
export function combinationsTable(): string {
  return markdownTable(
    ['`encoding`', ...signingSchemes.map((scheme) => schemeTitles[scheme])],
    payloadEncodings.map((encoding) => [
      `\`${shortEncoding(encoding)}\``,
      ...signingSchemes.map((scheme) => acceptedHashes(scheme, encoding)),
    ]),
  );
}

/** Returns the table of reasons for refused combinations. */
export function refusedCombinations(): string {
  const reasons = new Set<string>();
  for (const scheme of signingSchemes) {
    for (const encoding of payloadEncodings) {
      for (const hashFunction of hashFunctions) {
        const verdict = combinations[scheme][encoding][hashFunction];
        if (!verdict.allowed) reasons.add(`| \`${verdict.field}\` | ${verdict.reason} |`);
      }
    }
  }
  return ['| Named in the error | Reason |', '|---|---|', ...[...reasons].sort()].join('\n');
}

export function limitsTable(): string {
  const limits: [string, number][] = [
    ['Characters of a payload', maxPayloadLength],
    ['Characters of EIP-712 JSON', maxTypedDataLength],
    [
      'Values of JSON, declared or not, in all payloads of a request',
      payloadBudgetLimits.jsonValues,
    ],
    ['Struct types', typeLimits.structTypes],
    ['Members of a struct', typeLimits.membersOfStruct],
    ['Characters of a type or member name', typeLimits.nameLength],
    ['Characters of the names and types of all members together', typeLimits.textLength],
    ['Array dimensions of a type', typeLimits.arrayDimensions],
    ['Levels of structs and arrays in a value', valueLimits.depth],
    ['Values in a message, and in all messages of a request', payloadBudgetLimits.values],
    ['Members of types in all payloads of a request', payloadBudgetLimits.members],
    ['Struct types times characters of members, over all payloads', payloadBudgetLimits.typeText],
    ['Characters of EIP-7702 JSON', maxAuthorizationLength],
  ];
  return markdownTable(
    ['Limit', 'At most'],
    limits.map(([name, limit]) => [name, limit.toLocaleString('en-US')]),
  );
}

function acceptedHashes(scheme: SigningScheme, encoding: PayloadEncoding): string {
  const accepted = hashFunctions.filter((hash) => combinations[scheme][encoding][hash].allowed);
  return accepted.map((hash) => `\`${shortHash(hash)}\``).join(', ') || '–';
}

function shortEncoding(encoding: PayloadEncoding): string {
  return encoding.slice('PAYLOAD_ENCODING_'.length);
}

function shortHash(hashFunction: HashFunction): string {
  return hashFunction.slice('HASH_FUNCTION_'.length);
}

function markdownTable(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}
