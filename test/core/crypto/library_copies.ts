// Imports the secp256k1 modules with copies of the compiled library that a test can change and inspect.

import assert from 'node:assert/strict';
import { registerHooks } from 'node:module';
import { mock } from 'node:test';

export type CurveModules = Pick<
  typeof import('../../../src/core/crypto/secp256k1.ts'),
  'secp256k1'
> &
  Pick<typeof import('../../../src/core/crypto/schnorr.ts'), 'signSchnorr'>;

/** A copy of the compiled library, with replaceable functions. */
export type LibraryCopy = {
  readonly exports: Record<string, (...input: number[]) => number>;
  readonly heap: Uint8Array;
};

let imports = 0;

/** Imports the modules again. Calls `onCopy` for each library copy that they create, in order. */
export async function importOver(
  onCopy: (copy: LibraryCopy, index: number) => void,
): Promise<CurveModules> {
  let copies = 0;
  const { Instance } = WebAssembly;
  const patched = mock.method(WebAssembly, 'Instance', function create(module: WebAssembly.Module) {
    const exports = { ...new Instance(module).exports };
    const { memory } = exports;
    assert(memory instanceof WebAssembly.Memory);
    const functions = exports as unknown as LibraryCopy['exports'];
    onCopy({ exports: functions, heap: new Uint8Array(memory.buffer) }, copies);
    copies += 1;
    return { exports };
  });
  imports += 1;
  const suffix = `?instance=${imports}`;
  // Imports of curve modules inside of this instance resolve to this instance, too.
  const hooks = registerHooks({
    resolve: (specifier, context, next) => {
      const found = next(specifier, context);
      const isOurs = /\/core\/crypto\/(libsecp256k1|secp256k1|schnorr)\.ts$/.test(found.url);
      return isOurs ? { ...found, url: `${found.url}${suffix}` } : found;
    },
  });
  try {
    const { secp256k1 } = await import('../../../src/core/crypto/secp256k1.ts');
    const { signSchnorr } = await import('../../../src/core/crypto/schnorr.ts');
    return { secp256k1, signSchnorr };
  } finally {
    hooks.deregister();
    patched.mock.restore();
  }
}
