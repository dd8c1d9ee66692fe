// Lets the verifier use WebCrypto, which answers asynchronously. A first run only collects the signatures that
// the verifier would ask native code about, and its outcome is dropped. A second run verifies: native code may
// confirm a signature, and the packages of the verifier decide about all others.

/** Algorithms of a key and of its signatures, by the hash that the verifier names. */
const algorithms = {
  sha256: [
    { name: 'ECDSA', namedCurve: 'P-256' },
    { name: 'ECDSA', hash: 'SHA-256' },
  ],
  undefined: [{ name: 'Ed25519' }, { name: 'Ed25519' }],
};

const nameOf = (hash, message, { key }, signature) =>
  [hash, key, message.toHex(), signature.toHex()].join(' ');

/** Runs a function that may ask native code to verify. */
function runWith(verify, run) {
  globalThis.process = { getBuiltinModule: () => ({ verify }) };
  try {
    return run();
  } finally {
    delete globalThis.process;
  }
}

async function isConfirmed(subtle, [hash, message, { key: spki }, signature]) {
  const [ofKey, ofSignature] = algorithms[hash];
  try {
    const key = await subtle.importKey('spki', Uint8Array.fromHex(spki), ofKey, false, ['verify']);
    return (await subtle.verify(ofSignature, key, signature, message)) === true;
  } catch {
    // This browser does not have the algorithm.
    return false;
  }
}

/** Returns the result of `verify`, a synchronous function, with native code where the browser has it. */
export async function verifyWithNative(verify) {
  const subtle = globalThis.crypto?.subtle;
  if (subtle === undefined) return verify();
  const collected = new Map();
  const collect = (...given) => {
    collected.set(nameOf(...given), given);
    return true;
  };
  try {
    runWith(collect, verify);
  } catch {
    // The second run fails with the reason.
  }
  const confirmed = new Set();
  await Promise.all(
    [...collected].map(async ([name, given]) => {
      if (await isConfirmed(subtle, given)) confirmed.add(name);
    }),
  );
  return runWith((...given) => confirmed.has(nameOf(...given)), verify);
}
