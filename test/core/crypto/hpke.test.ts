import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Aes256Gcm, CipherSuite, DhkemP256HkdfSha256, HkdfSha256 } from '@hpke/core';
import fc from 'fast-check';
import { concatBytes, hex, textOfUtf8, utf8 } from '../../../src/core/base/bytes.ts';
import { bundleInfo } from '../../../src/core/base/compatibility.ts';
import { infoHashOf, openWith, pskIdHash, sealTo } from '../../../src/core/crypto/hpke.ts';
import { keyAgreement } from '../../../src/core/crypto/key_agreement.ts';
import { p256 } from '../../../src/core/crypto/p256.ts';

const binding = { info: bundleInfo, associatedData: concatBytes };
const receiverPrivateKey = new Uint8Array(32).fill(2);
const receiverPublicKey = keyAgreement(receiverPrivateKey).publicKey;
const ephemeralPrivateKey = new Uint8Array(32).fill(1);

// Opened by the public clients' own decryption.
const known = {
  encapsulatedKey:
    '046ff03b949241ce1dadd43519e6960e0a85b41a69a05c328103aa2bce1594ca163c4f753a55bf01dc53f6c0b0c7eee78b40c6ff7d25a96e2282b989cef71c144a',
  receiverPublicKey:
    '04550f471003f3df97c3df506ac797f6721fb1a1fb7b8f6f83d224498a65c88e24136093d7012e509a73715cbd0b00a3cc0ff4b5c01b3ffa196ab1fb327036b8e6',
  ciphertext: 'b0401798461836a4e3cc4972c7c6dae31433037bfa',
};

test('the constant parts of the key schedule have their known values', () => {
  assert.equal(hex(pskIdHash), '8fc3aeb832490a4b5ab3e42023287db29a1f4bc7c222c0df228727b70a402112');
  assert.equal(
    hex(infoHashOf(bundleInfo)),
    '2f3f04e9206cd12413503529b47ac6a630b92ec4cf7d234508d0af9771c99e50',
  );
});

// The first message of the vector for this suite among those published with RFC 9180 (mode 0, KEM 16,
// KDF 1, AEAD 2).
const published = {
  info: '4f6465206f6e2061204772656369616e2055726e',
  associatedData: '436f756e742d30',
  plaintext: '4265617574792069732074727574682c20747275746820626561757479',
  ephemeralPrivateKey: '90345e3a1d116c1dd39ae76d95ab858c142223a63e44f8f85318cfa91a84858e',
  receiverPrivateKey: '317f915db7bc629c48fe765587897e01e282d3e8445f79f27f65d031a88082b2',
  receiverPublicKey:
    '04abc7e49a4c6b3566d77d0304addc6ed0e98512ffccf505e6a8e3eb25c685136f853148544876de76c0f2ef99cdc3a05ccf5ded7860c7c021238f9e2073d2356c',
  encapsulatedKey:
    '04c06b4f6bebc7bb495cb797ab753f911aff80aefb86fd8b6fcc35525f3ab5f03e0b21bd31a86c6048af3cb2d98e0d3bf01da5cc4c39ff5370d331a4f1f7d5a4e0',
  ciphertext:
    '58c61a45059d0c5704560e9d88b564a8b63f1364b8d1fcb3c4c6ddc1d291742465e902cd216f8908da49f8f96f',
};

test('the published message of this suite', () => {
  const bytes = (name: keyof typeof published) => Uint8Array.fromHex(published[name]);
  const input = { info: bytes('info'), associatedData: () => bytes('associatedData') };
  const receiverPrivateKey = bytes('receiverPrivateKey');
  assert.equal(hex(keyAgreement(receiverPrivateKey).publicKey), published.receiverPublicKey);
  const sealed = sealTo({
    ...input,
    receiverPublicKey: bytes('receiverPublicKey'),
    plaintext: bytes('plaintext'),
    ephemeralPrivateKey: bytes('ephemeralPrivateKey'),
  });
  assert.equal(hex(sealed.encapsulatedKey), published.encapsulatedKey);
  assert.equal(hex(sealed.ciphertext), published.ciphertext);
  const opened = openWith({ ...input, ...sealed, receiverPrivateKey });
  assert.deepEqual(opened, bytes('plaintext'));
});

test('the known message opens with the receiver’s key in either form', () => {
  assert.equal(hex(receiverPublicKey), known.receiverPublicKey);
  const compressed = p256.publicKeyOf(receiverPrivateKey);
  for (const publicKey of [receiverPublicKey, compressed]) {
    const sealed = sealTo({
      ...binding,
      receiverPublicKey: publicKey,
      plaintext: utf8('hello'),
      ephemeralPrivateKey,
    });
    assert.equal(hex(sealed.encapsulatedKey), known.encapsulatedKey);
    assert.equal(hex(sealed.ciphertext), known.ciphertext);
  }
  const encapsulatedKey = Uint8Array.fromHex(known.encapsulatedKey);
  const ciphertext = Uint8Array.fromHex(known.ciphertext);
  const shorter = p256.parsePublicKey(encapsulatedKey);
  assert.ok(shorter);
  for (const key of [encapsulatedKey, shorter]) {
    const opened = openWith({ ...binding, receiverPrivateKey, encapsulatedKey: key, ciphertext });
    assert.equal(opened && textOfUtf8(opened), 'hello');
  }
});

const privateKeys = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .filter((bytes) => p256.isPrivateKey(bytes));
const inputs = fc.record({
  receiver: privateKeys,
  ephemeral: privateKeys,
  info: fc.uint8Array({ maxLength: 60 }),
  associatedData: fc.uint8Array({ maxLength: 60 }),
  plaintext: fc.uint8Array({ maxLength: 300 }),
});

const library = new CipherSuite({
  kem: new DhkemP256HkdfSha256(),
  kdf: new HkdfSha256(),
  aead: new Aes256Gcm(),
});
const exact = (bytes: Uint8Array): ArrayBuffer => Uint8Array.from(bytes).buffer as ArrayBuffer;

test('both the library and this code open what the other seals', async () => {
  await fc.assert(
    fc.asyncProperty(inputs, async (input) => {
      const { receiver, ephemeral, plaintext } = input;
      const info = input.info;
      const associatedData = () => input.associatedData;
      const publicKey = keyAgreement(receiver).publicKey;
      const recipientKey = await library.kem.deserializePrivateKey(exact(receiver));
      const ours = sealTo({
        info,
        associatedData,
        receiverPublicKey: publicKey,
        plaintext,
        ephemeralPrivateKey: ephemeral,
      });
      const recipient = await library.createRecipientContext({
        recipientKey,
        enc: exact(ours.encapsulatedKey),
        info: exact(info),
      });
      const theirPlaintext = await recipient.open(
        exact(ours.ciphertext),
        exact(input.associatedData),
      );
      assert.deepEqual(new Uint8Array(theirPlaintext), plaintext);

      const sender = await library.createSenderContext({
        recipientPublicKey: await library.kem.deserializePublicKey(exact(publicKey)),
        info: exact(info),
      });
      const sealed = await sender.seal(exact(plaintext), exact(input.associatedData));
      const opened = openWith({
        info,
        associatedData,
        receiverPrivateKey: receiver,
        encapsulatedKey: new Uint8Array(sender.enc),
        ciphertext: new Uint8Array(sealed),
      });
      assert.deepEqual(opened, plaintext);
    }),
    { numRuns: 25 },
  );
});

test('both public keys are returned in their long form, for either input form', () => {
  const seen: string[] = [];
  const associatedData = (encapsulatedKey: Uint8Array, receiver: Uint8Array) => {
    seen.push(hex(concatBytes(encapsulatedKey, receiver)));
    return new Uint8Array(0);
  };
  const sealed = sealTo({
    info: bundleInfo,
    associatedData,
    receiverPublicKey: p256.publicKeyOf(receiverPrivateKey),
    plaintext: utf8('hello'),
    ephemeralPrivateKey,
  });
  const encapsulatedKey = p256.publicKeyOf(ephemeralPrivateKey);
  openWith({ info: bundleInfo, associatedData, ...sealed, encapsulatedKey, receiverPrivateKey });
  const both = known.encapsulatedKey + known.receiverPublicKey;
  assert.deepEqual(seen, [both, both]);
});

test('ciphertext with any altered byte does not open', () => {
  const mutations = fc.record({
    part: fc.constantFrom('ciphertext', 'encapsulatedKey', 'receiverPrivateKey', 'info', 'aad'),
    place: fc.nat(),
    bit: fc.nat(7),
  });
  fc.assert(
    fc.property(inputs, mutations, (input, { part, place, bit }) => {
      const info = concatBytes(input.info, Uint8Array.of(1));
      const data = concatBytes(input.associatedData, Uint8Array.of(1));
      const sealed = sealTo({
        info,
        associatedData: () => data,
        receiverPublicKey: keyAgreement(input.receiver).publicKey,
        plaintext: input.plaintext,
        ephemeralPrivateKey: input.ephemeral,
      });
      const whole = { ...sealed, receiverPrivateKey: Uint8Array.from(input.receiver), info };
      const flip = (bytes: Uint8Array): Uint8Array => {
        const copy = Uint8Array.from(bytes);
        const index = place % copy.length;
        copy[index] = Number(copy[index]) ^ (1 << bit);
        return copy;
      };
      const { aad, ...opened } = { ...whole, aad: data };
      const altered = { ...opened, aad, [part]: flip({ ...whole, aad: data }[part]) };
      if (!p256.isPrivateKey(altered.receiverPrivateKey)) return;
      const result = openWith({ ...altered, associatedData: () => altered.aad });
      assert.equal(result, undefined);
    }),
    { numRuns: 300 },
  );
});

test('a ciphertext cut at any length does not open', () => {
  const ciphertext = Uint8Array.fromHex(known.ciphertext);
  const encapsulatedKey = Uint8Array.fromHex(known.encapsulatedKey);
  for (let length = 0; length < ciphertext.length; length += 1) {
    const cut = ciphertext.subarray(0, length);
    const opened = openWith({
      ...binding,
      receiverPrivateKey,
      encapsulatedKey,
      ciphertext: cut,
    });
    assert.equal(opened, undefined);
  }
});

test('an encapsulated key off the curve does not open, and cannot be a receiver', () => {
  const point = Uint8Array.fromHex(known.encapsulatedKey);
  const off = Uint8Array.from(point);
  off[64] = Number(off[64]) ^ 1;
  const hybrid = Uint8Array.from(point);
  hybrid[0] = 6;
  const bad = [
    new Uint8Array(0),
    Uint8Array.of(0),
    new Uint8Array(33),
    new Uint8Array(65),
    concatBytes(Uint8Array.of(4), new Uint8Array(64)),
    concatBytes(Uint8Array.of(2), new Uint8Array(32).fill(0xff)),
    off,
    hybrid,
    point.subarray(0, 64),
    concatBytes(point, Uint8Array.of(0)),
    point.subarray(1),
  ];
  for (const encapsulatedKey of bad) {
    const ciphertext = Uint8Array.fromHex(known.ciphertext);
    assert.equal(
      openWith({ ...binding, receiverPrivateKey, encapsulatedKey, ciphertext }),
      undefined,
    );
    assert.throws(
      () =>
        sealTo({
          ...binding,
          receiverPublicKey: encapsulatedKey,
          plaintext: new Uint8Array(0),
          ephemeralPrivateKey,
        }),
      /the receiver has a point of P-256/,
    );
  }
  for (const outOfRange of [new Uint8Array(32), new Uint8Array(32).fill(0xff)]) {
    assert.throws(
      () =>
        sealTo({
          ...binding,
          receiverPublicKey,
          plaintext: new Uint8Array(0),
          ephemeralPrivateKey: outOfRange,
        }),
      /the private key is in range/,
    );
  }
});
