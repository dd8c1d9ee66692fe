// Build of the dashboard: ES modules below `/dashboard/`, one style sheet, nothing inlined.

import { basename, dirname, join, relative } from 'node:path';
import { defineConfig, type Plugin } from 'vite';

/** Modules of `src/core/crypto` that need Node, and those that stand for them in a page. */
const standIns: Readonly<Record<string, string>> = {
  'hashes.ts': 'hashes.ts',
  'ed25519.ts': 'curves.ts',
  'p256.ts': 'curves.ts',
  'secp256k1.ts': 'curves.ts',
};

const inBrowser: Plugin = {
  name: 'cryptography of a page',
  enforce: 'pre',
  resolveId(source, importer) {
    if (importer === undefined || !source.startsWith('.')) return null;
    const target = join(dirname(importer), source);
    const standIn = standIns[basename(target)];
    const isOfCore = target.endsWith(join('src', 'core', 'crypto', basename(target)));
    return isOfCore && standIn !== undefined
      ? join(import.meta.dirname, 'in_browser', standIn)
      : null;
  },
};

const repository = join(import.meta.dirname, '..');

/** Modules that are fetched only where they are needed: they bring much along, or are needed by few. */
const apart =
  /(answer_shapes|balance_sums|chain_balances|health|import|message_standards|mfa_policy|sealed_file|secret_in_file|session_store|signed_payloads|suffices_alone|verified_activity|verify_secp256k1|words)\.tsx?$/;

/** The path in the repository: the build is the same bytes wherever that lies, and its packages. */
const pathOf = (id: string) => {
  const packages = id.lastIndexOf('/node_modules/');
  return packages === -1 ? relative(repository, id) : id.slice(packages + 1);
};

/** Puts modules in one chunk. Small chunks compress badly, and each needs a pin and a request. */
const together = (name: string, place: RegExp) => ({
  name,
  // Their imports stay in other chunks. `size.test.ts` rejects chunks that import each other.
  includeDependenciesRecursively: false,
  test: (id: string) => place.test(pathOf(id)) && !apart.test(id),
});

export default defineConfig({
  root: import.meta.dirname,
  base: '/dashboard/',
  publicDir: false,
  plugins: [inBrowser],
  // JSX by Vite's own compiler.
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    target: 'es2023',
    // Chunks are pinned by the import map of `index.html`, which a loader's link elements would not heed.
    modulePreload: false,
    // A style sheet that comes later could not be pinned.
    cssCodeSplit: false,
    assetsInlineLimit: 0,
    license: false,
    rolldownOptions: {
      output: {
        entryFileNames: 'assets/[name]-[hash].js',
        chunkFileNames: 'assets/[name]-[hash].js',
        assetFileNames: 'assets/[name]-[hash][extname]',
        codeSplitting: {
          groups: [
            { name: 'first', tags: ['$initial'], test: (id) => !/index\.html|main\.tsx/.test(id) },
            together(
              'core',
              /^src\/core\/(base|errors|schema|webhooks|balances\/(?!amount_text)|policy\/(activity_kinds|names|decision\/access))/,
            ),
            together('client', /^src\/client\//),
            together('hashes', /^node_modules\/@noble\/hashes\/(?!blake|legacy|scrypt|pbkdf2)/),
            together(
              'work',
              /^(dashboard\/(components|app\/(overview|activities|wallets|custody|service|users\/credentials|webhooks\/reads|policies\/reads|headlines\/(known_addresses|names)))|node_modules\/uqr)\b/,
            ),
            together(
              'administration',
              /^dashboard\/app\/(address_book|users|settings|webhooks|organizations|secrets|private_keys|pair|inbox|api)\//,
            ),
          ],
        },
      },
    },
  },
  // `vite dashboard` serves a page with reload, and forwards requests to a service at its default port.
  server: {
    proxy: {
      '/public': 'http://localhost:8080',
      '/dev': 'http://localhost:8080',
      '/dashboard/config.json': 'http://localhost:8080',
    },
  },
});
