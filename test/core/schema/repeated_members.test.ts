// JSON that others sign or send must name each member once.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseStamp } from '../../../src/core/auth/stamp.ts';
import { readClientData } from '../../../src/core/auth/webauthn/client_data.ts';
import { parseWebAuthnStamp } from '../../../src/core/auth/webauthn/stamp.ts';
import { base64url, utf8 } from '../../../src/core/base/bytes.ts';
import { newPayloadBudget } from '../../../src/core/payload/budget.ts';
import { readJsonObject } from '../../../src/core/payload/json_payload.ts';
import { readPolicyTest } from '../../../src/core/policy/simulator/policy_scenario_file.ts';
import { caseReaders } from '../../../src/core/policy/test_readers/case_transaction.ts';
import { readFilters } from '../../../src/core/webhooks/filters.ts';

const refuse = (reason: string) => {
  throw new Error(reason);
};

const readers: Readonly<Record<string, (text: string) => unknown>> = {
  stamp: (text) => parseStamp(base64url(utf8(text))),
  'stamp of a passkey': (text) => parseWebAuthnStamp(text),
  'client data': (text) => readClientData(utf8(text), refuse),
  'typed data': (text) => readJsonObject(text, 1000, 'payload', newPayloadBudget()),
  filters: (text) => readFilters('ACTIVITY_UPDATES', text, 'filtersJson'),
  'policy test': (text) => readPolicyTest(text, caseReaders),
};

for (const [name, read] of Object.entries(readers)) {
  test(`${name}: a repeated member is refused`, () => {
    for (const text of ['{"type":"a","type":"a"}', '{"a":{"b":1,"\\u0062":1}}']) {
      assert.throws(() => read(text), /twice|every member once|JSON object/);
    }
  });
}
