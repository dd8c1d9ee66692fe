// Builds the dashboard: ES modules below `/dashboard/`, one style sheet, no inlined assets.

import { readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { defineConfig, type Plugin } from 'vite';

/** Modules of `src/core/crypto` that need Node, with their replacements in `in_browser/`. */
const replacements: Readonly<Record<string, string>> = {
  'hashes.ts': 'hashes.ts',
  'ed25519.ts': 'curves.ts',
  'p256.ts': 'curves.ts',
  'secp256k1.ts': 'curves.ts',
};

const inBrowser: Plugin = {
  name: 'browser cryptography',
  enforce: 'pre',
  resolveId(source, importer) {
    if (importer === undefined || !source.startsWith('.')) return null;
    const target = join(dirname(importer), source);
    const replacement = replacements[basename(target)];
    const isOfCore = target.endsWith(join('src', 'core', 'crypto', basename(target)));
    return isOfCore && replacement !== undefined
      ? join(import.meta.dirname, 'in_browser', replacement)
      : null;
  },
};

const base = '/dashboard/';
const manifest = 'manifest.webmanifest';
const icons = ['icon-192.png', 'icon-512.png'];

/** Adds the manifest with which phones and desktops install the page. Its file names contain no digest. */
const installable: Plugin = {
  name: 'installable page',
  apply: 'build',
  generateBundle() {
    const sourceOf = (name: string) => readFileSync(join(import.meta.dirname, name));
    this.emitFile({ type: 'asset', fileName: manifest, source: sourceOf('manifest.json') });
    for (const icon of icons) {
      this.emitFile({ type: 'asset', fileName: icon, source: sourceOf(icon) });
    }
  },
  transformIndexHtml: () => [
    // Send the cookie, because `keywright dashboard` serves no file without it.
    {
      tag: 'link',
      attrs: { rel: 'manifest', href: `${base}${manifest}`, crossorigin: 'use-credentials' },
    },
    { tag: 'link', attrs: { rel: 'apple-touch-icon', href: `${base}icon-192.png` } },
    { tag: 'meta', attrs: { name: 'theme-color', content: '#1f4fa3' } },
  ],
};

const repository = join(import.meta.dirname, '..');

/** Modules that must stay out of the shared chunks, because they are large or few users need them. */
const separate =
  /(activities\/(activity|receipt|path)|wallets\/(wallet|sign_message)|answer_shapes|balance_sums|balances|chain_balances|health|import|message_standards|mfa_policy|sealed_file|secret_in_file|session_store|signed_payloads|suffices_alone|verified_activity|verify_secp256k1|words)\.tsx?$/;

/** Returns the path in the repository or package, so that the build does not depend on the folder. */
const pathOf = (id: string) => {
  const packages = id.lastIndexOf('/node_modules/');
  return packages === -1 ? relative(repository, id) : id.slice(packages + 1);
};

/** Puts modules into one chunk. Small chunks compress badly, and each needs a pin and a request. */
const together = (name: string, place: RegExp) => ({
  name,
  // Their imports stay in other chunks. `size.test.ts` rejects chunks that import each other.
  includeDependenciesRecursively: false,
  test: (id: string) => place.test(pathOf(id)) && !separate.test(id),
});

export default defineConfig({
  root: import.meta.dirname,
  base,
  publicDir: false,
  plugins: [inBrowser, installable],
  // Vite's own compiler handles JSX.
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    target: 'es2023',
    // The import map of `index.html` pins the chunks; preload links would not use it.
    modulePreload: false,
    // A style sheet that loads later could not be pinned.
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
              /^(src\/core\/(base|errors|schema|webhooks|generated\/served_kinds|balances\/(?!amount_text|chain_names)|policy\/(activity_kinds|names|language|decision\/access)|crypto)|dashboard\/in_browser|node_modules\/(@scure\/base|@noble\/(curves|hashes)\/(?!scrypt|pbkdf2)))/,
            ),
            together(
              'names',
              /^src\/core\/(activity\/activity_title|balances\/(amount_text|chain_names)|transactions\/ethereum\/known_chains)/,
            ),
            together('client', /^src\/client\//),
            together(
              'work',
              /^(dashboard\/(components|app\/(overview|activities|wallets|custody|service|users\/credentials|webhooks\/reads|policies\/reads|headlines\/(known_addresses|names)))|node_modules\/uqr)\b/,
            ),
            together(
              'headlines',
              /^(dashboard\/app\/(headlines|approvals\/progress)|src\/core\/transactions\/headline\/leaving_total)/,
            ),
            {
              ...together(
                'explanations',
                /^src\/core\/(address|chains|contracts|organization|payload|transactions)\//,
              ),
              // Most modules are loaded together, for each sentence about a transaction.
              minShareCount: 2,
            },
            {
              name: 'details',
              includeDependenciesRecursively: false,
              test: /dashboard\/app\/(activities\/(activity|receipt|path)|wallets\/(wallet|sign_message|balances)|overview\/(health|chain_balances|balance_sums))\./,
            },
            together(
              'policy_editor',
              /^dashboard\/app\/policies\/(clause|local_|new_policy|policy(_form)?\.|positions|try_)/,
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
  // `vite dashboard` serves the page with reload, and forwards requests to a service at its default port.
  server: {
    proxy: {
      '/public': 'http://localhost:8080',
      '/dev': 'http://localhost:8080',
      '/dashboard/config.json': 'http://localhost:8080',
    },
  },
});
