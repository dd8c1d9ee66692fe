// The enclave runs without network, files, addons and code generation: all crypto code must load and work
// there.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const project = fileURLToPath(new URL('../../../', import.meta.url));

const program = `
  import { seal, open } from './src/core/crypto/aead.ts';
  import { curves } from './src/core/crypto/curves.ts';
  import { keccak256, ripemd160 } from './src/core/crypto/hashes.ts';
  import { openWith, sealTo } from './src/core/crypto/hpke.ts';
  import { keyAgreement } from './src/core/crypto/key_agreement.ts';
  import { signSchnorr, tweakPrivateKey } from './src/core/crypto/schnorr.ts';
  import { stampVerifiers } from './src/core/crypto/verify.ts';
  import { derivePrivateKey } from './src/core/derivation/derive.ts';
  import { seedOfEntropy } from './src/core/derivation/mnemonic.ts';
  import { parsePath } from './src/core/derivation/path.ts';

  const seed = seedOfEntropy(new Uint8Array(32));
  const message = ripemd160(keccak256(seed));
  const key = derivePrivateKey('CURVE_ED25519', seed, parsePath("m/44'/501'/0'/0'"));
  const signature = curves.CURVE_ED25519.sign(key, message);
  const publicKey = curves.CURVE_ED25519.publicKeyOf(key);
  const { verifyInPool } = stampVerifiers.SIGNATURE_SCHEME_TK_API_ED25519;
  const digest = keccak256(message);
  const signatures = ['CURVE_SECP256K1', 'CURVE_P256'].map((curve) =>
    curves[curve].sign(derivePrivateKey(curve, seed, parsePath("m/44'/60'/0'/0/0")), digest));
  const sealed = seal(key, new Uint8Array(12), message, digest);
  const binding = { info: message, associatedData: () => message };
  const sent = sealTo({
    ...binding,
    receiverPublicKey: keyAgreement(key).publicKey,
    plaintext: message,
    ephemeralPrivateKey: digest,
  });
  const answers = [
    await verifyInPool(publicKey, signature, message),
    signatures.every(({ r, s }) => r.length === 32 && s.length === 32),
    signSchnorr(tweakPrivateKey(digest), digest).r.length === 32,
    open(key, new Uint8Array(12), sealed, digest)?.length === message.length,
    openWith({ ...binding, ...sent, receiverPrivateKey: key })?.length === message.length,
  ];
  process.stdout.write(JSON.stringify(answers));
`;

test('all crypto code works under the flags of the enclave', () => {
  const flags = [
    '--permission',
    `--allow-fs-read=${project}src`,
    `--allow-fs-read=${project}node_modules`,
    '--disallow-code-generation-from-strings',
    '--disable-proto=delete',
    '--no-addons',
    '--input-type=module',
  ];
  const output = execFileSync(process.execPath, [...flags, '--eval', program], {
    cwd: project,
    env: {},
    encoding: 'utf8',
  });
  assert.deepEqual(JSON.parse(output), [true, true, true, true, true]);
});
