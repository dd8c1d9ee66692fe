// Bundles the recovery tool into one file: its sources and their packages, without files of the service.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { relative, resolve } from 'node:path';
import { rolldown } from 'rolldown';

/** The name of the file in the packages and in `dist/`. */
export const recoveryTool = 'recover.mjs';

/** Packages bundled into the file. */
const packages = [
  '@noble/ciphers',
  '@noble/curves',
  '@noble/hashes',
  '@noble/post-quantum',
  '@scure/base',
  'age-encryption',
  'shamir-secret-sharing',
];

/** Returns the text of the file. Raises an error if it would contain other code. */
export async function recoveryToolOf(root: string): Promise<string> {
  const program = readFileSync(resolve(root, 'tools/recover/passkey_program.ts'), 'utf8');
  const bundle = await rolldown({
    cwd: root,
    input: resolve(root, 'tools/recover/main.ts'),
    // The packages of a build may be in another folder; the file is the same.
    resolve: { symlinks: false },
    platform: 'node',
    // Browsers run the program of the page, so the tool carries it as text.
    transform: { define: { passkeyProgram: JSON.stringify(stripTypeScriptTypes(program)) } },
    logLevel: 'silent',
  });
  const { output } = await bundle.generate({ format: 'esm', codeSplitting: false });
  await bundle.close();
  const [file, ...others] = output;
  assert(others.length === 0, 'the recovery tool is one file');
  const allowed = ['tools/recover/', ...packages.map((name) => `node_modules/${name}/`)];
  for (const module of file.moduleIds.filter((id) => !id.startsWith('\0'))) {
    const path = relative(root, module);
    assert(
      allowed.some((start) => path.startsWith(start)),
      `the recovery tool holds ${path}`,
    );
  }
  assert(
    file.imports.every((name) => name.startsWith('node:')),
    `the recovery tool imports ${file.imports}`,
  );
  return file.code;
}
