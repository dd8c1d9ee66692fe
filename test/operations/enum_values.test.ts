import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { marksIn } from '../../src/cli/migration/find_differences.ts';
import { openApiDocument } from '../../src/operations/openapi/openapi.ts';

/** Enumerations of public clients that the document lacks or describes in part, with the reason. */
const described: Readonly<Record<string, string>> = {
  v1ActivityType: 'activity_types.test.ts compares the types',
  v1FiatOnRampBlockchainNetwork: 'no operation of fiat money is served',
  v1FiatOnRampCryptoCurrency: 'no operation of fiat money is served',
  v1FiatOnRampCurrency: 'no operation of fiat money is served',
  v1FiatOnRampPaymentMethod: 'no operation of fiat money is served',
  v1FiatOnRampProvider: 'no operation of fiat money is served',
  v1InvitationStatus: 'a deleted invitation is removed, so none is revoked',
  v1ProvisioningState: 'no hardware is provisioned',
  v1TransactionType: 'the service parses the type as a text',
  v1UsageType: 'a member of tokens, which no operation takes',
};

const client = dirname(createRequire(import.meta.url).resolve('@turnkey/http'));
const types = join(client, '__generated__/services/coordinator/public/v1/public_api.types.d.ts');
const enumeration = /^ {4}(v1\w+): ((?:"\w+"(?: \| )?)+);/gm;

test('every enum value of public clients is served, or migrate check finds it', () => {
  const document = JSON.stringify(openApiDocument('http://127.0.0.1'));
  const served = new Set([...document.matchAll(/"([A-Z]\w+)"/g)].map(([, value]) => value));
  const lacking = new Map<string, readonly string[]>();
  let enumerations = 0;
  for (const [, name = '', union = ''] of readFileSync(types, 'utf8').matchAll(enumeration)) {
    enumerations += 1;
    const values = [...union.matchAll(/"(\w+)"/g)].map(([, value]) => value ?? '');
    const missing = values.filter((value) => !served.has(value));
    if (missing.length > 0) lacking.set(name, missing);
  }
  assert.ok(enumerations > 30);
  const unnamed = [...lacking].filter(([name]) => !Object.hasOwn(described, name));
  const unfound = unnamed.flatMap(([, values]) =>
    values.filter((value) => marksIn('index.ts', `'${value}'`).length === 0),
  );
  assert.deepEqual(unfound, []);
  const needless = Object.keys(described).filter((name) => !lacking.has(name));
  assert.deepEqual(needless, []);
});
