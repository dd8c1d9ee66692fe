import assert from 'node:assert/strict';
import { test } from 'node:test';
import { domainToASCII } from 'node:url';
import { ServiceError } from '../../../src/core/errors/errors.ts';
import { checkEmail, comparedEmail } from '../../../src/core/organization/indexes/contacts.ts';

function checked(email: string): string | undefined {
  try {
    return checkEmail(email, 'email');
  } catch (error) {
    assert.ok(error instanceof ServiceError && error.code === 'email_invalid', String(error));
    return undefined;
  }
}

test('a domain of another script is accepted by its ASCII form', () => {
  // UTS 46, as node:url maps: https://www.unicode.org/reports/tr46/
  for (const domain of ['bücher.example', '例え.テスト', 'ПОЧТА.example', 'faß.example']) {
    const expected = domainToASCII(domain);
    assert.match(expected, /xn--/);
    assert.equal(checked(`a@${domain}`), `a@${expected}`);
    assert.equal(comparedEmail(`A@${domain}`), `a@${expected}`);
  }
  assert.equal(checked('a@bücher.example'), 'a@xn--bcher-kva.example');
  assert.equal(checked('Alice@Example.com'), 'Alice@Example.com');
});

test('a local part must be ASCII: the lower case of the Kelvin sign would be the k of another mailbox', () => {
  for (const local of ['\u212Aate', '\uFF4Bate', 'müller', 'a\u200Bb']) {
    assert.equal(checked(`${local}@example.com`), undefined, JSON.stringify(local));
  }
});

test('a domain that maps to no host is refused', () => {
  for (const domain of [
    '１.２.３.４',
    'ü',
    'a b.exämple',
    'exämple.com/x',
    'ex\u202Eä.com',
    'ä..com',
    '\u2488com.ä:80',
  ]) {
    assert.equal(checked(`a@${domain}`), undefined, JSON.stringify(domain));
  }
});
