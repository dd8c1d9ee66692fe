// 100,000 mutated registrations and assertions. The seed is fixed, so every run tests the same ones.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { verifyAssertion } from '../../../src/core/auth/webauthn/assertion.ts';
import {
  type RegisteredPasskey,
  readRegistration,
} from '../../../src/core/auth/webauthn/registration.ts';
import { parseWebAuthnStamp } from '../../../src/core/auth/webauthn/stamp.ts';
import {
  base64url,
  bytesOfBase64url,
  concatBytes,
  hex,
  utf8,
} from '../../../src/core/base/bytes.ts';
import { isRefusal } from '../../../src/core/errors/errors.ts';
import {
  authenticatorFlags,
  createSoftwareAuthenticator,
} from '../../support/software_authenticator.ts';

const mutantsPerTest = 25_000;
const body = utf8('{"type":"ACTIVITY_TYPE_CREATE_WALLET","timestampMs":"1"}');
const origin = 'http://localhost:3000';

/** Returns numbers below `limit`, equal in every run (32-bit xorshift). */
function numbers(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % limit;
  };
}

/** Yields mutants: first with each bit flipped and each byte cut, removed and inserted, then at random. */
function* mutants(good: Uint8Array, below: (limit: number) => number): Generator<Uint8Array> {
  for (let at = 0; at < good.length; at += 1) {
    for (let bit = 0; bit < 8; bit += 1) yield withByte(good, at, (good[at] ?? 0) ^ (1 << bit));
    yield good.slice(0, at);
    yield good.slice(at + 1);
    yield concatBytes(good.subarray(0, at), good.subarray(at + 1));
    yield concatBytes(good.subarray(0, at), Uint8Array.of(below(256)), good.subarray(at));
    // Another CBOR type, and another length.
    for (const head of [0x00, 0x40, 0x60, 0x80, 0xa0, 0xc0, 0xe0, 0xf6, 0x5f, 0xbf, 0xff]) {
      yield withByte(good, at, head);
    }
  }
  for (;;) {
    const start = below(good.length);
    const end = start + below(Math.min(40, good.length - start));
    const from = below(good.length);
    const patch = [
      Uint8Array.from({ length: below(8) }, () => below(256)),
      good.subarray(from, from + below(40)),
      new Uint8Array(below(300)).fill(below(256)),
    ][below(3)];
    yield concatBytes(good.subarray(0, start), patch ?? good, good.subarray(end));
  }
}

function withByte(bytes: Uint8Array, at: number, value: number): Uint8Array {
  const changed = Uint8Array.from(bytes);
  changed[at] = value;
  return changed;
}

const devices = {
  ES256: createSoftwareAuthenticator({ seed: 'mutants' }),
  RS256: createSoftwareAuthenticator({ seed: 'mutants', algorithm: 'RS256' }),
};

for (const [algorithm, device] of Object.entries(devices)) {
  test(`no mutant of an assertion of ${algorithm} is accepted`, (context) => {
    const below = numbers(algorithm === 'ES256' ? 11 : 13);
    const stamp = parseWebAuthnStamp(device.stamp(body));
    const good = {
      authenticatorData: stamp.authenticatorData,
      clientDataJson: stamp.clientDataJson,
      signature: stamp.signature,
      body,
      publicKey: device.publicKey,
      rpIdHash: device.rpIdHash,
    };
    const verify = ({ publicKey, rpIdHash, body: signed, ...members }: typeof good) =>
      verifyAssertion({
        stamp: members,
        body: signed,
        credential: { publicKey: base64url(publicKey), rpIdHash: base64url(rpIdHash) },
        allowedOrigins: undefined,
      });
    verify(good);
    const makers = Object.entries(good).map(([part, bytes]) => ({
      part,
      bytes,
      mutants: mutants(bytes, below),
    }));
    let made = 0;
    let checked = 0;
    const accepted: string[] = [];
    while (made < mutantsPerTest) {
      for (const { part, bytes, mutants: next } of makers) {
        const mutant = next.next().value as Uint8Array;
        if (hex(mutant) === hex(bytes)) continue;
        made += 1;
        try {
          verify({ ...good, [part]: mutant });
          accepted.push(`${part} ${hex(mutant)}`);
        } catch (error) {
          // A registered key is stored by the service, so a malformed one is an internal error.
          const isOurs = part === 'publicKey' && /^assertion failed/.test((error as Error).message);
          assert.ok(isOurs || isRefusal(error), `${part} ${hex(mutant)}: ${error}`);
          if (/the signature is not/.test((error as Error).message)) checked += 1;
        }
      }
    }
    assert.deepEqual(accepted, []);
    context.diagnostic(`${made} mutants, the signature of ${checked} was looked at`);
    assert.ok(checked > 1000);
  });
}

/** Bytes that no signature covers: a mutant of them is another registration with the mutated value. */
type Free = { readonly member: keyof RegisteredPasskey; readonly bytes: Uint8Array };

for (const [algorithm, device] of Object.entries(devices)) {
  test(`a mutant of a registration of ${algorithm} is refused, or returns its mutated value`, (context) => {
    const below = numbers(algorithm === 'ES256' ? 17 : 19);
    const { challenge, attestation } = device.register({
      extensions: new Map([['credProtect', 2]]),
    });
    const read = (of: Partial<typeof attestation>) =>
      readRegistration({ challenge, attestation: { ...attestation, ...of } }, 'field', [origin]);
    const good = read({});
    const free: readonly Free[] = [
      { member: 'attestationType', bytes: utf8('none') },
      { member: 'rpIdHash', bytes: device.rpIdHash },
      { member: 'aaguid', bytes: new Uint8Array(16) },
    ];
    const parts = ['credentialId', 'clientDataJson', 'attestationObject'] as const;
    const makers = parts.map((part) => {
      const bytes = bytesOfBase64url(attestation[part]) ?? assert.fail();
      return { part, bytes, mutants: mutants(bytes, below) };
    });
    let made = 0;
    const kept: Record<string, number> = {};
    while (made < mutantsPerTest) {
      for (const { part, bytes, mutants: next } of makers) {
        const mutant = next.next().value as Uint8Array;
        if (hex(mutant) === hex(bytes)) continue;
        made += 1;
        let result: RegisteredPasskey;
        try {
          result = read({ [part]: base64url(mutant) });
        } catch (error) {
          assert.ok(isRefusal(error), `${part} ${hex(mutant)}: ${error}`);
          continue;
        }
        const name = unvouched(part, bytes, mutant, result);
        assert.ok(name !== undefined, `${part} ${hex(mutant)} is accepted`);
        kept[name] = (kept[name] ?? 0) + 1;
      }
    }
    context.diagnostic(`${made} mutants, accepted as something else: ${JSON.stringify(kept)}`);

    /** Returns the uncovered member in which an accepted mutant differs. */
    function unvouched(
      part: (typeof parts)[number],
      before: Uint8Array,
      mutant: Uint8Array,
      { ...result }: RegisteredPasskey,
    ): string | undefined {
      if (part === 'clientDataJson') {
        const { type, challenge: text, origin: page } = JSON.parse(Buffer.from(mutant).toString());
        assert.deepEqual(
          { type, text, page },
          { type: 'webauthn.create', text: challenge, page: origin },
        );
        assert.deepEqual(result, good);
        return 'clientDataJson';
      }
      if (part === 'credentialId' || result.credentialId !== good.credentialId) return undefined;
      const isRsa = algorithm === 'RS256' && result.publicKey !== good.publicKey;
      const differing = Object.keys(good).filter(
        (member) =>
          JSON.stringify(result[member as keyof RegisteredPasskey]) !==
          JSON.stringify(good[member as keyof RegisteredPasskey]),
      );
      const [first = 'flags', ...others] = differing.filter((member) => member !== 'model');
      if (others.length > 0) return undefined;
      // A wrong point is detected; a wrong modulus is not.
      if (isRsa)
        return Buffer.from(mutant).includes(Buffer.from(result.publicKey, 'base64url'))
          ? 'publicKey'
          : undefined;
      if (first === 'flags') return differsOnlyInFlags(before, mutant) ? first : undefined;
      const { bytes } = free.find(({ member }) => member === first) ?? { bytes: undefined };
      if (bytes === undefined) return undefined;
      const said =
        first === 'attestationType'
          ? utf8(result.attestationType)
          : bytesOfBase64url(String(result[first as keyof RegisteredPasskey]));
      return said !== undefined && Buffer.from(mutant).includes(said) ? first : undefined;
    }
  });

  function differsOnlyInFlags(before: Uint8Array, mutant: Uint8Array): boolean {
    if (before.length !== mutant.length) return false;
    const start = Buffer.from(before).indexOf(device.rpIdHash) + device.rpIdHash.length;
    const needed = authenticatorFlags.userPresent | authenticatorFlags.attestedCredential;
    return before.every((byte, at) => {
      // One byte of flags and four of the counter; the extensions behind the key are ignored.
      if (at === start) return ((mutant[at] ?? 0) & needed) === needed;
      return byte === mutant[at] || (at > start && at < start + 5) || at > before.length - 14;
    });
  }
}
