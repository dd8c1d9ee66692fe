// OP-OAUTH-19: bundles exchanged with the unmodified public client.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBase58check } from '@scure/base';
import {
  decryptCredentialBundle,
  decryptExportBundle,
  encryptOauth2ClientSecret,
  encryptOtpCodeToBundle,
  encryptPrivateKeyToBundle,
  encryptWalletToBundle,
  formatHpkeBuf,
  hpkeEncrypt,
} from '@turnkey/crypto';
import fc from 'fast-check';
import { concatBytes, hex, textOfUtf8, utf8 } from '../../../src/core/base/bytes.ts';
import { openBundle, sealBundle } from '../../../src/core/bundles/bundle_encryption.ts';
import {
  maximumMessageCharacters,
  type OpenedMessage,
  openClientMessage,
} from '../../../src/core/bundles/client_message.ts';
import { writeCredentialBundle } from '../../../src/core/bundles/credential_bundle.ts';
import { writeExportBundle } from '../../../src/core/bundles/export_bundle.ts';
import { openImport, writeImportTarget } from '../../../src/core/bundles/import_target.ts';
import {
  maximumEnvelopeCharacters,
  openClientSecret,
} from '../../../src/core/bundles/oauth2_client_secret.ts';
import { openOtpMessage, writeOtpTarget } from '../../../src/core/bundles/otp_target.ts';
import { parseTargetKey } from '../../../src/core/bundles/target_key.ts';
import { sha256 } from '../../../src/core/crypto/hashes.ts';
import { keyAgreement } from '../../../src/core/crypto/key_agreement.ts';
import { p256 } from '../../../src/core/crypto/p256.ts';
import { ecdsaSignatureOfDer } from '../../../src/core/crypto/signature_der.ts';
import { verifyP256 } from '../../../src/core/crypto/verify.ts';
import { ServiceError } from '../../../src/core/errors/errors.ts';
import { fixedServiceKeys } from '../crypto/service_keys.test.ts';

const keys = fixedServiceKeys();
const signer = hex(keys.publicKey('signer'));
const verifier = hex(keys.publicKey('verifier'));
const organizationId = 'f9a31c64-d604-42e4-9bef-a773096afad7';
const userId = '7d4a885d-4668-40c4-8f35-33301a11e7d5';
const otherId = '00000000-0000-4000-8000-000000000000';
const mnemonic = 'leaf lady until indicate praise final route toast cake minimum insect unknown';

const target = new Uint8Array(32).fill(2);
const targetPublicKey = keyAgreement(target).publicKey;
const ephemeralPrivateKey = new Uint8Array(32).fill(1);

const privateKeys = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .filter((bytes) => p256.isPrivateKey(bytes));
const base58check = createBase58check(sha256);

test('the published credential bundle opens', () => {
  const bundle = base58check.decode(
    'w99a5xV6A75TfoAUkZn869fVyDYvgVsKrawMALZXmrauZd8hEv66EkPU1Z42CUaHESQjcA5bqd8dynTGBMLWB9ewtXWPEVbZvocB4Tw2K1vQVp7uwjf',
  );
  const opened = openBundle({
    receiverPrivateKey: Uint8Array.fromHex(
      '20fa65df11f24833790ae283fc9a0c215eecbbc589549767977994dc69d05a56',
    ),
    encapsulatedKey: bundle.subarray(0, 33),
    ciphertext: bundle.subarray(33),
  });
  assert.equal(
    opened && hex(opened),
    '67ee05fc3bdf4161bc70701c221d8d77180294cefcfcea64ba83c4d4c732fcb9',
  );
});

// Created by the hosted service, and printed in the tests of its public client.
test('the published export bundle opens, and its signature verifies', () => {
  const data = Uint8Array.fromHex(
    '7b22656e6361707065645075626c6963223a2230343434313065633837653566653266666461313561313866613337376132316133633431633334373666383631333362343238306164373631303266343064356462326463353362343730303763636139336166666330613535316464353134333937643039373931636664393233306663613330343862313731663364363738222c2263697068657274657874223a22656662303538626633666634626534653232323330326266326636303738363062343237346232623031616339343536643362613638646135613235363236303030613839383262313465306261663061306465323966353434353461333739613362653664633364386339343938376131353638633764393566396663346239316265663232316165356562383432333361323833323131346431373962646664636631643066376164656231353766343131613439383430222c226f7267616e697a6174696f6e4964223a2266396133316336342d643630342d343265342d396265662d613737333039366166616437227d',
  );
  const signature = ecdsaSignatureOfDer(
    Uint8Array.fromHex(
      '304502203a7dc258590a637e76f6be6ed1a2080eed5614175060b9073f5e36592bdaf610022100ab9955b603df6cf45408067f652da48551652451b91967bf37dd094d13a7bdd4',
    ),
  );
  const hostedSigner = p256.parsePublicKey(
    Uint8Array.fromHex(
      '04cf288fe433cc4e1aa0ce1632feac4ea26bf2f5a09dcfe5a42c398e06898710330f0572882f4dbdf0f5304b8fc8703acd69adca9a4bbf7f5d00d20a5e364b2569',
    ),
  );
  assert.ok(signature && hostedSigner);
  assert.equal(verifyP256(hostedSigner, signature, data), true);
  const content = JSON.parse(textOfUtf8(data) ?? '');
  assert.deepEqual(Object.keys(content), ['encappedPublic', 'ciphertext', 'organizationId']);
  assert.equal(content.organizationId, organizationId);
  const { encappedPublic, ciphertext } = content;
  const { plaintext } = openClientMessage(JSON.stringify({ encappedPublic, ciphertext }), {
    targetPrivateKey: Uint8Array.fromHex(
      'ffc6090f14bcf260e5dfe63f45412e60a477bb905956d7cc90195b71c2a544b3',
    ),
    maximumPlaintextBytes: 100,
  });
  assert.equal(plaintext && textOfUtf8(plaintext), mnemonic);
});

test('the client opens credential bundles', () => {
  fc.assert(
    fc.property(privateKeys, privateKeys, privateKeys, (receiver, privateKey, ephemeral) => {
      const bundle = writeCredentialBundle({
        targetPublicKey: keyAgreement(receiver).publicKey,
        privateKey,
        ephemeralPrivateKey: ephemeral,
      });
      assert.equal(decryptCredentialBundle(bundle, hex(receiver)), hex(privateKey));
      assert.equal(base58check.decode(bundle).length, 81);
    }),
    { numRuns: 15 },
  );
});

test('the client opens export bundles with the given key', async () => {
  const bundleOf = (plaintext: Uint8Array): string =>
    writeExportBundle({ organizationId, targetPublicKey, plaintext, ephemeralPrivateKey }, keys);
  const open = {
    organizationId,
    embeddedKey: hex(target),
    dangerouslyOverrideSignerPublicKey: signer,
  };
  const wallet = bundleOf(utf8(mnemonic));
  assert.equal(
    await decryptExportBundle({ ...open, exportBundle: wallet, returnMnemonic: true }),
    mnemonic,
  );
  const key = new Uint8Array(32).fill(77);
  assert.equal(
    await decryptExportBundle({ ...open, exportBundle: bundleOf(key), returnMnemonic: false }),
    hex(key),
  );
  const solana = { keyFormat: 'SOLANA', returnMnemonic: false } as const;
  const base58 = await decryptExportBundle({ ...open, exportBundle: bundleOf(key), ...solana });
  assert.ok(base58.length > 80);
  const others = [
    { organizationId: otherId },
    { embeddedKey: hex(ephemeralPrivateKey) },
    { dangerouslyOverrideSignerPublicKey: verifier },
  ];
  for (const other of others) {
    await assert.rejects(
      decryptExportBundle({ ...open, exportBundle: wallet, returnMnemonic: true, ...other }),
    );
  }
  await assert.rejects(
    decryptExportBundle({
      exportBundle: wallet,
      embeddedKey: hex(target),
      organizationId,
      returnMnemonic: true,
    }),
    /expected signer key/,
  );
});

test('signed messages have the form that strict clients require', () => {
  const message = JSON.parse(writeImportTarget({ targetPublicKey, organizationId, userId }, keys));
  assert.deepEqual(Object.keys(message), [
    'version',
    'data',
    'dataSignature',
    'enclaveQuorumPublic',
  ]);
  assert.equal(message.version, 'v1.0.0');
  assert.match(message.enclaveQuorumPublic, /^04[0-9a-f]{128}$/);
  assert.match(message.data, /^[0-9a-f]+$/);
  assert.match(message.dataSignature, /^30[0-9a-f]+$/);
  assert.deepEqual(JSON.parse(textOfUtf8(Uint8Array.fromHex(message.data)) ?? ''), {
    targetPublic: hex(targetPublicKey),
    organizationId,
    userId,
  });
});

test('a bundle that the client seals to an import target opens', async () => {
  const importBundle = writeImportTarget({ targetPublicKey, organizationId, userId }, keys);
  const sealed = {
    importBundle,
    organizationId,
    userId,
    dangerouslyOverrideSignerPublicKey: signer,
  };
  const wallet = await encryptWalletToBundle({ ...sealed, mnemonic });
  const opened = openImport(wallet, target);
  assert.equal(opened.plaintext && textOfUtf8(opened.plaintext), mnemonic);

  const privateKey = '0x'.padEnd(66, 'ab');
  const keyFormat = 'HEXADECIMAL';
  const key = await encryptPrivateKeyToBundle({ ...sealed, privateKey, keyFormat });
  assert.equal(hex(openImport(key, target).plaintext ?? new Uint8Array(0)), privateKey.slice(2));

  assert.equal(openImport(wallet, ephemeralPrivateKey).plaintext, undefined);
  for (const other of [{ organizationId: otherId }, { userId: otherId }]) {
    await assert.rejects(
      encryptWalletToBundle({ ...sealed, mnemonic, ...other }),
      /does not match/,
    );
  }
  const signedByAnother = {
    ...sealed,
    importBundle: writeImportTarget(
      { targetPublicKey, organizationId, userId },
      fixedServiceKeys(43),
    ),
  };
  await assert.rejects(
    encryptWalletToBundle({ ...signedByAnother, mnemonic }),
    /expected signer key/,
  );
});

test('a bundle that the client seals to an OTP target opens', async () => {
  const publicKey = hex(p256.publicKeyOf(new Uint8Array(32).fill(8)));
  const bundle = writeOtpTarget({ targetPublicKey, organizationId }, keys);
  const sealed = await encryptOtpCodeToBundle('A1B2C3D4E', bundle, publicKey, verifier);
  assert.deepEqual(openOtpMessage(sealed, target), {
    message: { otpCode: 'A1B2C3D4E', publicKey },
  });
  await assert.rejects(encryptOtpCodeToBundle('A1B2C3D4E', bundle, publicKey));
  await assert.rejects(encryptOtpCodeToBundle('A1B2C3D4E', bundle, publicKey, signer));
});

const sealedText = (plaintext: Uint8Array): string => {
  const sealed = sealBundle({ receiverPublicKey: targetPublicKey, plaintext, ephemeralPrivateKey });
  return JSON.stringify({
    encappedPublic: hex(sealed.encapsulatedKey),
    ciphertext: hex(sealed.ciphertext),
  });
};

test('a bundle for an OTP target must hold a code and a key', () => {
  const publicKey = hex(p256.publicKeyOf(new Uint8Array(32).fill(8)));
  const refusalOf = (content: unknown) =>
    openOtpMessage(sealedText(utf8(JSON.stringify(content))), target).refusal;
  assert.equal(
    refusalOf({ public_key: publicKey.toUpperCase(), otp_code: '', more: 1 }),
    undefined,
  );
  const bad: readonly (readonly [unknown, RegExp])[] = [
    ['text', /a JSON object/],
    [[], /a JSON object/],
    [{ public_key: publicKey }, /otp_code/],
    [{ public_key: publicKey, otp_code: 123456 }, /otp_code/],
    [{ public_key: publicKey, otp_code: '1'.repeat(65) }, /otp_code/],
    [{ otp_code: '1' }, /public_key/],
    [{ otp_code: '1', public_key: 3 }, /public_key/],
    [{ otp_code: '1', public_key: 'zz' }, /public_key/],
    [{ otp_code: '1', public_key: `02${'ff'.repeat(32)}` }, /public_key/],
    [{ otp_code: '1', public_key: hex(targetPublicKey) }, /public_key/],
    [{ otp_code: '1', public_key: `0x${publicKey}` }, /public_key/],
  ];
  for (const [content, refusal] of bad) {
    assert.match(refusalOf(content) ?? '', refusal, JSON.stringify(content));
  }
  assert.match(openOtpMessage('{}', target).refusal ?? '', /encappedPublic/);
  const invalidUtf8 = openOtpMessage(sealedText(Uint8Array.of(0xff)), target);
  assert.match(invalidUtf8.refusal ?? '', /a JSON object/);
});

test('equivalent forms of the client message are accepted', () => {
  const whole = JSON.parse(sealedText(utf8(mnemonic)));
  const compressed = p256.parsePublicKey(Uint8Array.fromHex(whole.encappedPublic));
  assert.ok(compressed);
  const forms = [
    JSON.stringify(whole),
    JSON.stringify({ ciphertext: whole.ciphertext, encappedPublic: whole.encappedPublic }),
    JSON.stringify(whole, undefined, 2),
    JSON.stringify({
      encappedPublic: whole.encappedPublic.toUpperCase(),
      ciphertext: whole.ciphertext.toUpperCase(),
    }),
    JSON.stringify({ ...whole, encappedPublic: hex(compressed) }),
  ];
  for (const form of forms) {
    const { plaintext } = openImport(form, target);
    assert.equal(plaintext && textOfUtf8(plaintext), mnemonic, form);
  }
});

test('other client messages are refused with the reason', () => {
  const whole = JSON.parse(sealedText(utf8(mnemonic)));
  const text = JSON.stringify(whole);
  const off = `${whole.encappedPublic.slice(0, -1)}0`;
  const bad: readonly (readonly [string, RegExp])[] = [
    ['', /a JSON object/],
    ['null', /a JSON object/],
    ['[]', /a JSON object/],
    [`${text},`, /a JSON object/],
    [text.replace('{', '{"ciphertext":"00",'), /a JSON object/],
    ['{}', /`encappedPublic` as 130/],
    [JSON.stringify({ ...whole, version: 'v1.0.0' }), /alone/],
    [JSON.stringify({ ...whole, encappedPublic: 4 }), /`encappedPublic` as 130/],
    [JSON.stringify({ ...whole, encappedPublic: `0x${whole.encappedPublic}` }), /as 130/],
    [JSON.stringify({ ...whole, encappedPublic: whole.encappedPublic.slice(2) }), /as 130/],
    [JSON.stringify({ ...whole, encappedPublic: off }), /was not sealed/],
    [JSON.stringify({ ...whole, encappedPublic: '00'.repeat(65) }), /was not sealed/],
    [JSON.stringify({ ...whole, ciphertext: undefined }), /`ciphertext` as hex/],
    [JSON.stringify({ ...whole, ciphertext: 'f' }), /`ciphertext` as hex/],
    [JSON.stringify({ ...whole, ciphertext: '00'.repeat(15) }), /`ciphertext` as hex/],
    [JSON.stringify({ ...whole, ciphertext: '00'.repeat(16) }), /was not sealed/],
    [' '.repeat(5000), /characters/],
  ];
  for (const [message, refusal] of bad) {
    const { plaintext, refusal: told = '' } = openImport(message, target);
    assert.equal(plaintext, undefined, message);
    assert.match(told, refusal, message);
  }
});

test('a bundle has a maximum length', () => {
  const limits = { targetPrivateKey: target, maximumPlaintextBytes: 40 };
  const opened = (length: number): OpenedMessage =>
    openClientMessage(sealedText(new Uint8Array(length)), limits);
  assert.equal(opened(40).plaintext?.length, 40);
  assert.equal(opened(0).plaintext?.length, 0);
  assert.match(opened(41).refusal ?? '', /at most 40 bytes/);
  const longest = maximumMessageCharacters(40);
  const padded = sealedText(new Uint8Array(40)).padEnd(longest);
  assert.equal(openClientMessage(padded, limits).refusal, undefined);
  assert.match(openClientMessage(`${padded} `, limits).refusal ?? '', /characters/);
});

test('an altered client message never opens', () => {
  const characters = '0123456789abcdefABCDEF"{}:,.x \u0000é';
  const places = fc.nat();
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 64 }),
      places,
      fc.constantFrom(...characters),
      (plaintext, place, character) => {
        const text = sealedText(plaintext);
        const at = place % text.length;
        const altered = `${text.slice(0, at)}${character}${text.slice(at + 1)}`;
        const original = (text[at] ?? '').toLowerCase();
        if (character.toLowerCase() === original) return;
        assert.equal(openImport(altered, target).plaintext, undefined, altered);
      },
    ),
    { numRuns: 400 },
  );
});

test('a bundle that the client library seals with a new key each time opens', () => {
  fc.assert(
    fc.property(privateKeys, fc.uint8Array({ maxLength: 100 }), (receiver, plaintext) => {
      const sealed = hpkeEncrypt({
        plainTextBuf: plaintext,
        targetKeyBuf: keyAgreement(receiver).publicKey,
      });
      assert.deepEqual(openImport(formatHpkeBuf(sealed), receiver).plaintext, plaintext);
    }),
    { numRuns: 15 },
  );
});

test('the client secret of a provider opens', async () => {
  const receiver = keys.keyAgreement('secret_receiver');
  const publicKey = hex(keys.publicKey('secret_receiver'));
  for (const secret of ['', 'abc', 'ü'.repeat(300)]) {
    const envelope = await encryptOauth2ClientSecret(secret, publicKey);
    const { plaintext } = openClientSecret(envelope, receiver);
    assert.equal(plaintext && textOfUtf8(plaintext), secret);
    const upper = openClientSecret(envelope.toUpperCase(), receiver);
    assert.deepEqual(upper.plaintext, plaintext);
  }
  const other = await encryptOauth2ClientSecret('abc', signer);
  assert.match(openClientSecret(other, receiver).refusal ?? '', /was not sealed/);
});

test('an altered or cut envelope never opens', async () => {
  const receiver = keys.keyAgreement('secret_receiver');
  const publicKey = hex(keys.publicKey('secret_receiver'));
  const envelope = Uint8Array.fromHex(await encryptOauth2ClientSecret('a secret', publicKey));
  for (let place = 0; place < envelope.length; place += 1) {
    for (const bit of [0x01, 0x80]) {
      const altered = Uint8Array.from(envelope);
      altered[place] = Number(altered[place]) ^ bit;
      assert.equal(openClientSecret(hex(altered), receiver).plaintext, undefined, String(place));
    }
    assert.notEqual(
      openClientSecret(hex(envelope.subarray(0, place)), receiver).refusal,
      undefined,
    );
  }
  const refusalOf = (text: string) => openClientSecret(text, receiver).refusal ?? '';
  assert.match(refusalOf(hex(concatBytes(envelope, Uint8Array.of(0)))), /of the length/);
  assert.match(refusalOf(`0x${hex(envelope)}`), /expected hex/);
  assert.match(refusalOf('00'.repeat(97)), /of the length/);
  assert.match(refusalOf('0'.repeat(maximumEnvelopeCharacters + 1)), /characters/);
  const noPoint = concatBytes(envelope.subarray(0, 12), new Uint8Array(65), envelope.subarray(77));
  assert.match(refusalOf(hex(noPoint)), /public key/);
});

test('target keys are accepted in both forms and any letter case, and otherwise refused by field', () => {
  const compressed = hex(p256.publicKeyOf(target));
  for (const text of [hex(targetPublicKey), hex(targetPublicKey).toUpperCase(), compressed]) {
    assert.deepEqual(parseTargetKey(text, 'parameters.targetPublicKey'), targetPublicKey);
  }
  const bad = [
    '',
    '04',
    `0x${compressed}`,
    compressed.slice(2),
    '00'.repeat(33),
    '00'.repeat(65),
    `06${hex(targetPublicKey).slice(2)}`,
    `${hex(targetPublicKey).slice(0, -1)}0`,
    `${hex(targetPublicKey)}00`,
    'zz'.repeat(33),
  ];
  for (const text of bad) {
    assert.throws(
      () => parseTargetKey(text, 'parameters.targetPublicKey'),
      (error) =>
        error instanceof ServiceError &&
        error.code === 'field_invalid' &&
        error.fieldViolations[0]?.field === 'parameters.targetPublicKey',
      text,
    );
  }
});
