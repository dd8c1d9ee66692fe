import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  maximumWebAuthnStampCharacters,
  parseWebAuthnStamp,
} from '../../../src/core/auth/webauthn/stamp.ts';
import { base64url, hex, utf8 } from '../../../src/core/base/bytes.ts';
import { ServiceError } from '../../../src/core/errors/errors.ts';

const bytes = {
  credentialId: Uint8Array.of(1, 2, 3, 4),
  authenticatorData: Uint8Array.of(0xfb, 0xff, 0xfe),
  clientDataJson: utf8('{"type":"webauthn.get"}'),
  signature: Uint8Array.of(0x30, 0),
};
const members = {
  authenticatorData: base64url(bytes.authenticatorData),
  clientDataJson: base64url(bytes.clientDataJson),
  credentialId: base64url(bytes.credentialId),
  signature: base64url(bytes.signature),
};
const text = JSON.stringify(members);

function refusalOf(header: string): ServiceError | undefined {
  try {
    parseWebAuthnStamp(header);
    return undefined;
  } catch (error) {
    assert.ok(error instanceof ServiceError, String(error));
    assert.equal(error.code, 'webauthn_stamp_malformed');
    assert.match(error.message, /^could not extract webauthn stamp: /);
    return error;
  }
}

// AUTH-04
const lenient: Readonly<Record<string, string>> = {
  'plain JSON': text,
  'white space around': ` \t${text} `,
  'white space inside': JSON.stringify(members, undefined, 2),
  base64url: base64url(utf8(text)),
  'base64 with padding': Buffer.from(
    `${text} `.padEnd(Math.ceil(text.length / 3) * 3 + 1),
  ).toString('base64'),
  'base64 of indented JSON': base64url(utf8(`\n ${JSON.stringify(members, undefined, 2)}`)),
  'another order of members': JSON.stringify(Object.fromEntries(Object.entries(members).reverse())),
  'unknown members': JSON.stringify({ ...members, version: 2, userHandle: null }),
  'padding inside': JSON.stringify({ ...members, credentialId: 'AQIDBA==' }),
  'the other base64 alphabet inside': JSON.stringify({ ...members, authenticatorData: '+//+' }),
};

for (const [what, header] of Object.entries(lenient)) {
  test(`a stamp is accepted with ${what}`, () => {
    const stamp = parseWebAuthnStamp(header);
    assert.equal(stamp.credentialId, members.credentialId);
    assert.equal(hex(stamp.authenticatorData), hex(bytes.authenticatorData));
    assert.equal(hex(stamp.clientDataJson), hex(bytes.clientDataJson));
    assert.equal(hex(stamp.signature), hex(bytes.signature));
  });
}

const malformed: Readonly<Record<string, readonly [string, RegExp]>> = {
  'nothing at all': ['', /expected a JSON object$/],
  'no JSON': [text.slice(0, -1), /expected a JSON object$/],
  'two JSON values': [text + text, /expected a JSON object$/],
  'a list': [`[${text}]`, /expected a JSON object, or base64url of one/],
  'a list in base64url': [base64url(utf8(`[${text}]`)), /expected a JSON object$/],
  'base64url of base64url': [base64url(utf8(base64url(utf8(text)))), /expected a JSON object$/],
  'no UTF-8 in base64url': [base64url(Uint8Array.of(0x7b, 0xff, 0x7d)), /expected JSON in UTF-8/],
  'a byte order mark': [base64url(utf8(`\ufeff${text}`)), /expected a JSON object$/],
  'no members': ['{}', /expected `credentialId` as text/],
  'members of a prototype': [`{"__proto__": ${text}}`, /expected `credentialId` as text/],
  'an empty id': [
    JSON.stringify({ ...members, credentialId: '' }),
    /expected `credentialId` as 1 to 1023 bytes/,
  ],
  'a long id': [
    JSON.stringify({ ...members, credentialId: 'A'.repeat(1368) }),
    /expected `credentialId` as 1 to 1023 bytes/,
  ],
  'client data spelt as in browsers': [
    JSON.stringify({ ...members, clientDataJson: undefined, clientDataJSON: 'e30' }),
    /expected `clientDataJson` as text/,
  ],
};

for (const [what, [header, reason]] of Object.entries(malformed)) {
  test(`a stamp with ${what} is malformed`, () => {
    assert.match(refusalOf(header)?.message ?? 'accepted', reason);
  });
}

for (const member of Object.keys(members)) {
  test(`a stamp is malformed whose ${member} is missing, no text or no base64url`, () => {
    for (const wrong of [undefined, null, 7, [members.signature], {}]) {
      const header = JSON.stringify({ ...members, [member]: wrong });
      assert.match(refusalOf(header)?.message ?? 'accepted', new RegExp(`\`${member}\` as text`));
    }
    for (const wrong of ['A', '!', 'AQ=A', 'AQ ID', 'AQID\n']) {
      const header = JSON.stringify({ ...members, [member]: wrong });
      assert.match(
        refusalOf(header)?.message ?? 'accepted',
        new RegExp(`\`${member}\` in base64url`),
      );
    }
  });
}

test('a header has a maximum length', () => {
  const longest = text.padEnd(maximumWebAuthnStampCharacters);
  assert.equal(refusalOf(longest), undefined);
  assert.match(refusalOf(`${longest} `)?.message ?? 'accepted', /header too long/);
});

test('any text is a stamp or malformed', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json(), fc.base64String()), (header) => {
      refusalOf(header);
    }),
    { numRuns: 2000, seed: 3 },
  );
});

test('a stamp with a changed character is equal, different, or malformed', () => {
  for (let at = 0; at < text.length; at += 1) {
    for (const c of ['"', '{', 'A', '\\', '\u0000', 'é']) {
      refusalOf(text.slice(0, at) + c + text.slice(at + 1));
    }
    assert.ok(refusalOf(text.slice(0, at)) !== undefined);
  }
});

test('a refusal repeats no part of the stamp', () => {
  const sent = 'a'.repeat(64);
  for (const member of Object.keys(members)) {
    const refusal = refusalOf(JSON.stringify({ ...members, [member]: `${sent}!` }));
    assert.ok(refusal !== undefined);
    assert.ok(!refusal.message.includes(sent));
  }
});
