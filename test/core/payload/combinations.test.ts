import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { hashFunctions, payloadEncodings } from '../../../src/core/base/enums.ts';
import { combinations, signingSchemes } from '../../../src/core/payload/combinations.ts';
import { digestPayload } from '../../../src/core/payload/index.ts';
import { refuses } from './refusals.ts';
import { combinationsTable, limitsTable, refusedCombinations } from './signing_page.ts';

const goodPayloads = {
  PAYLOAD_ENCODING_HEXADECIMAL: '11'.repeat(32),
  PAYLOAD_ENCODING_TEXT_UTF8: 'thirty-two characters of a text.',
  PAYLOAD_ENCODING_EIP712:
    '{"types":{"Note":[],"EIP712Domain":[]},"domain":{},"primaryType":"Note","message":{}}',
  PAYLOAD_ENCODING_EIP7702_AUTHORIZATION: `{"address":"0x${'22'.repeat(20)}","chainId":1,"nonce":0}`,
};

// ENUM-09, ENUM-10
for (const scheme of signingSchemes) {
  for (const encoding of payloadEncodings) {
    for (const hashFunction of hashFunctions) {
      const verdict = combinations[scheme][encoding][hashFunction];
      const raw = { scheme, encoding, hashFunction, payload: goodPayloads[encoding] };
      const name = `${scheme}, ${encoding}, ${hashFunction}`;

      if (verdict.allowed) {
        test(`${name} signs 32 bytes`, () => {
          assert.equal(digestPayload(raw).signedBytes.length, 32);
        });
      } else {
        test(`${name} is refused with a reason`, () => {
          const words = {
            encoding: 'invalid payload encoding',
            hashFunction: 'invalid hash function',
          };
          const parameter = verdict.field === 'parameters.encoding' ? 'encoding' : 'hashFunction';
          refuses(() => digestPayload(raw), verdict.field, new RegExp(`^${words[parameter]}: \\w`));
          refuses(() => digestPayload({ ...raw, payload: '?' }), verdict.field, /./);
        });
      }
    }
  }
}

test('every way of signing and every encoding has an allowed hash function, or a reason', () => {
  for (const scheme of signingSchemes) {
    for (const encoding of [
      'PAYLOAD_ENCODING_HEXADECIMAL',
      'PAYLOAD_ENCODING_TEXT_UTF8',
    ] as const) {
      const verdicts = Object.values(combinations[scheme][encoding]);
      assert.ok(verdicts.some(({ allowed }) => allowed));
      assert.ok(verdicts.some(({ allowed }) => !allowed));
    }
  }
});

test('docs/signing.md shows the table of combinations and the limits of the code', () => {
  const page = readFileSync(new URL('../../../docs/signing.md', import.meta.url), 'utf8');
  for (const part of [combinationsTable(), refusedCombinations(), limitsTable()]) {
    assert.ok(page.includes(part), `docs/signing.md should contain:\n\n${part}`);
  }
});
