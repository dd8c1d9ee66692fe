import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { filesBelow, importsOf, root, trustedBase } from './sources.ts';

/** The permitted imports, as in docs/ARCHITECTURE.md: prefixes of paths, and packages. */
const layers: Readonly<Record<string, readonly string[]>> = {
  'src/core/crypto/': ['src/core/', 'node:crypto', '@noble/curves', '@noble/hashes'],
  'src/core/auth/': ['src/core/', '@levischuck/tiny-cbor'],
  'src/core/custody/': ['src/core/', 'shamir-secret-sharing'],
  'src/core/deployments/': ['src/core/', '@scure/base', 'shamir-secret-sharing'],
  'src/core/derivation/': ['src/core/', '@scure/bip39'],
  // Only the types of typebox: the closure of the enclave does not contain the package.
  'src/core/': ['src/core/', '@scure/base', 'typebox'],
  'src/operations/': ['src/core/', 'src/operations/'],
  'src/pipeline/': ['src/core/', 'src/operations/', 'src/pipeline/'],
  // The parts that both processes share: the messages between them, and how they travel.
  'src/ipc/': [
    'src/core/',
    'src/ipc/',
    'src/store/port.ts',
    'src/store/addition.ts',
    'node:stream',
  ],
  'src/enclave/': [
    'src/core/',
    'src/ipc/',
    'src/operations/',
    'src/pipeline/',
    'src/enclave/',
    'src/store/port.ts',
    'src/store/addition.ts',
    'node:crypto',
    'node:stream',
    // Identifies the piece of work that runs.
    'node:async_hooks',
  ],
  // Reads its key from an inherited descriptor, and opens no file.
  'src/enclave/services/held_key.ts': ['src/core/', 'src/ipc/', 'src/enclave/keys/', 'node:fs'],
  // Measures the delays of its event loop.
  'src/enclave/measurements/vitals.ts': ['src/ipc/messages.ts', 'node:perf_hooks'],
  // The program reads its own files to prove its software.
  'src/enclave/main.ts': [
    'src/enclave/',
    'src/ipc/',
    'src/system/kernel_random.ts',
    'node:fs',
    'node:path',
  ],
  'src/system/kernel_random.ts': ['src/core/', 'node:fs'],
  'src/system/node_http.ts': [],
  'src/system/unblocked_output.ts': ['node:'],
  'src/store/': ['src/core/', 'src/store/', 'node:', 'pg'],
  'src/gateway/': [
    'src/core/',
    'src/store/',
    'src/gateway/',
    'src/system/kernel_random.ts',
    'src/system/node_http.ts',
    'src/system/unblocked_output.ts',
    'src/settings/settings.ts',
    'src/ipc/',
    // The document is only served; no decision depends on it.
    'src/operations/openapi/openapi.ts',
    'node:',
    'fastify',
    'nodemailer',
    'pino',
    'prom-client',
  ],
  // Only this folder imports the library of traces.
  'src/gateway/traces/': [
    'src/core/',
    'src/gateway/',
    'src/settings/settings.ts',
    'src/store/unusable_data_error.ts',
    'node:http',
    '@opentelemetry/api',
    '@opentelemetry/core',
    '@opentelemetry/exporter-trace-otlp-proto',
    '@opentelemetry/resources',
    '@opentelemetry/sdk-trace',
  ],
  // The inbox of webhooks verifies deliveries with the client library, like any other receiver.
  'src/gateway/development/': ['src/core/', 'src/gateway/', 'src/client/', 'node:', 'fastify'],
  // Runs in applications, including browsers.
  'src/client/': ['src/client/'],
  // The server of a page on this machine, and the program of the page.
  'src/holder_page/': [
    'src/holder_page/',
    'src/client/bytes.ts',
    'src/client/sealed_secret.ts',
    'src/core/base/',
    'src/core/schema/json.ts',
    'src/gateway/base/both_families.ts',
    'src/gateway/base/browser_modules.ts',
    'src/gateway/base/no_schemas.ts',
    'node:',
    'fastify',
  ],
  // The programs of the frames run in browsers.
  'src/frame_pages/': ['src/frame_pages/', 'src/client/bundles.ts', 'src/client/bytes.ts'],
  // The verifier of receipts runs without the service.
  'src/receipts/': ['src/core/log/', 'src/receipts/', '@noble/curves', '@noble/hashes'],
  'src/settings/': ['src/core/', 'src/settings/'],
  // Derives public keys from the root key.
  'src/cli/custody/keys_command.ts': [
    'src/core/',
    'src/archive/offline_data.ts',
    'src/enclave/keys/service_keys.ts',
    'src/gateway/root_key/read_once.ts',
    'src/settings/settings.ts',
  ],
  // Opens rows with the root key to identify them; writes files and the store.
  'src/archive/': [
    'src/core/',
    'src/archive/',
    'src/enclave/records/change_writer.ts',
    'src/enclave/records/record_codec.ts',
    'src/store/',
    'node:fs',
    'node:path',
  ],
  'src/archive/command.ts': [
    'src/core/',
    'src/archive/',
    'src/enclave/keys/',
    'src/enclave/records/custody_reader.ts',
    'src/enclave/records/record_codec.ts',
    'src/enclave/services/custody.ts',
    'src/settings/settings.ts',
    'src/store/',
    'node:fs',
    'node:path',
  ],
  // Reads the root key and opens the store for commands that work on the data themselves.
  'src/archive/offline_data.ts': [
    'src/core/',
    'src/enclave/keys/root_keys.ts',
    'src/enclave/records/key_epochs.ts',
    'src/gateway/custody/anchor.ts',
    'src/gateway/root_key/',
    'src/system/kernel_random.ts',
    'src/settings/settings.ts',
    'src/store/',
    'node:fs',
    'node:path',
  ],
  // Seals all rows with a new root key while no service runs.
  'src/rotation/': [
    'src/core/',
    'src/rotation/',
    'src/archive/offline_data.ts',
    'src/enclave/keys/',
    'src/enclave/records/',
    'src/enclave/services/bootstrap.ts',
    'src/gateway/root_key/read_once.ts',
    'src/store/',
    'src/system/kernel_random.ts',
    'node:fs',
    'node:path',
  ],
  'src/cli/commands/root_key/rotate.ts': ['src/cli/', 'src/rotation/command.ts'],
  // Opens an organization with the root key, as the enclave does, and seals its contents for the holders of
  // the archive.
  'src/export/': [
    'src/core/',
    'src/export/',
    'src/archive/offline_data.ts',
    'src/enclave/keys/',
    'src/enclave/records/record_codec.ts',
    'src/enclave/records/repository.ts',
    'src/enclave/services/custody.ts',
    'src/store/',
    'node:crypto',
    'node:fs',
    'node:path',
    '@noble/curves',
    '@scure/base',
    'age-encryption',
  ],
  'src/cli/commands/export/organization.ts': ['src/cli/', 'src/export/command.ts', 'node:path'],
  'src/cli/commands/archive/': ['src/cli/', 'src/archive/command.ts', 'src/settings/settings.ts'],
  'src/cli/policies/policy_command.ts': ['src/core/'],
  'src/cli/policies/map_svg.ts': ['src/core/'],
  'src/cli/commands/policy/map.ts': ['src/cli/', 'src/core/policy/map/policy_map.ts'],
  // The command line reaches the service over HTTP; `serve` and `keys` start the programs themselves.
  'src/cli/': [
    'src/cli/',
    'src/client/',
    'src/core/activity/activity_title.ts',
    'src/core/base/edit_distance.ts',
    'src/core/base/line_end.ts',
    'node:',
  ],
  'src/cli/webhooks/event_types.ts': ['src/cli/', 'src/core/base/enums.ts'],
  'src/cli/terminal/qr_code.ts': ['uqr'],
  'src/cli/terminal/node_terminal.ts': ['src/cli/', 'src/system/unblocked_output.ts', 'node:'],
  // Verifies without the service, and with other code than the code that signs.
  'src/cli/commands/verify/receipt.ts': ['src/cli/', 'src/receipts/'],
  'src/cli/output/verified.ts': ['src/cli/', 'src/client/', 'src/core/schema/json.ts'],
  'src/cli/evidence/verify.ts': [
    'src/cli/',
    'src/client/',
    'src/core/schema/json.ts',
    'src/receipts/',
  ],
  'src/cli/commands/witness.ts': ['src/cli/', 'src/core/log/', 'src/receipts/', 'node:'],
  'src/cli/receipts/witness_file.ts': ['src/cli/', 'src/store/data_directory/', 'node:'],
  'src/cli/receipts/': ['src/cli/', 'src/client/', 'src/receipts/', 'node:'],
  'src/cli/signing/': ['src/cli/', 'node:', '@noble/curves', '@noble/hashes', '@scure/base'],
  'src/cli/signing/typed_data_digest.ts': ['src/core/payload/eip712.ts'],
  'src/cli/approvals/descriptions.ts': [
    'src/cli/',
    'src/client/',
    'src/core/transactions/described.ts',
    'src/core/transactions/descriptions/',
    'src/core/transactions/headline/',
  ],
  'src/cli/approvals/signed_content.ts': [
    'src/cli/',
    'src/client/',
    'src/core/activity/activity_title.ts',
    'src/core/derivation/',
    'src/core/transactions/described.ts',
    'src/core/transactions/headline/',
  ],
  'src/cli/approvals/activity_deeds.ts': [
    'src/cli/',
    'src/client/',
    'src/core/transactions/headline/',
  ],
  'src/cli/approvals/headline_lines.ts': ['src/cli/', 'src/core/transactions/headline/'],
  'src/cli/approvals/known_addresses.ts': [
    'src/cli/',
    'src/client/',
    'src/core/transactions/headline/',
  ],
  'src/cli/approvals/signed_payload.ts': [
    'src/cli/',
    'src/client/',
    'src/core/errors/errors.ts',
    'src/core/payload/',
    'src/core/transactions/described.ts',
    'src/core/transactions/payload_explanation.ts',
  ],
  'src/cli/login/pairing.ts': ['src/cli/', 'src/client/', 'src/core/derivation/', 'node:'],
  'src/cli/service/next_steps.ts': ['src/cli/', 'src/client/', 'src/core/errors/errors.ts'],
  'src/cli/service/start_failures.ts': [
    'src/cli/',
    'src/core/errors/',
    'src/settings/settings.ts',
    'src/store/unusable_data_error.ts',
  ],
  'src/cli/commands/keys.ts': [
    'src/cli/',
    'src/cli/custody/keys_command.ts',
    'src/settings/settings.ts',
  ],
  'src/cli/commands/serve.ts': [
    'src/cli/',
    'src/gateway/serve.ts',
    'src/settings/settings.ts',
    'src/settings/page.ts',
    'node:path',
  ],
  'src/cli/commands/enclave.ts': [
    'src/cli/',
    'src/gateway/enclave/serve_enclaves.ts',
    'src/gateway/observability/log.ts',
    'src/settings/settings.ts',
  ],
  'src/cli/commands/key_holder.ts': [
    'src/cli/',
    'src/gateway/key_holder/',
    'src/gateway/observability/log.ts',
    'src/settings/settings.ts',
    'node:path',
  ],
  // Writes the next key, and follows the progress of the service.
  'src/cli/custody/online_rotation.ts': [
    'src/cli/',
    'src/gateway/root_key/read_passphrase.ts',
    'src/gateway/rotation/next_key_file.ts',
    'src/settings/settings.ts',
  ],
  'src/cli/commands/root_key/': ['src/cli/', 'src/gateway/root_key/'],
  'src/cli/commands/root_key/init.ts': ['src/cli/', 'src/gateway/root_key/', 'node:fs'],
  'src/cli/commands/root_key/split.ts': ['src/cli/', 'node:path'],
  'src/cli/commands/root_key/combine.ts': ['src/cli/', 'node:path'],
  'src/cli/commands/unseal/': [
    'src/cli/',
    'src/gateway/root_key/',
    'src/settings/settings.ts',
    'node:path',
  ],
  // Seals keys in the same way as the root key.
  'src/cli/keys/sealed_key.ts': [
    'src/cli/',
    'src/gateway/root_key/sealed_key.ts',
    'src/system/kernel_random.ts',
  ],
  'src/cli/keys/passkey_page.ts': ['src/cli/', 'src/holder_page/', 'node:'],
  'src/cli/keys/passkey_holders.ts': ['src/cli/', 'src/client/'],
  // Only the commands on shares load this package.
  'src/cli/custody/operator_passkeys.ts': [
    'src/cli/',
    'src/client/',
    'src/core/base/bytes.ts',
    'src/core/bundles/client_message.ts',
    'age-encryption',
    'node:',
  ],
  // Only the commands on shares load this package.
  'src/cli/custody/share_files.ts': [
    'src/core/base/bytes.ts',
    'src/core/custody/key_shares.ts',
    'src/gateway/root_key/shares.ts',
    'src/store/',
    'node:fs',
    'node:path',
    'age-encryption',
  ],
  // Verifies the statement of an enclave against its own files, and seals a share to the enclave.
  'src/cli/custody/unseal_by_share.ts': [
    'src/cli/',
    'src/core/',
    'src/enclave/program.ts',
    'src/gateway/enclave/process.ts',
    'src/gateway/root_key/new_keys.ts',
    'node:fs',
    'node:path',
  ],
  // Reads JSON of other programs, with the reader alone.
  'src/cli/service/json_rpc.ts': ['src/cli/', 'src/core/schema/json.ts'],
  'src/cli/mcp/': ['src/cli/', 'src/client/', 'src/core/schema/json.ts', 'node:'],
  // Writes and reads transactions with the code with which the service reads them.
  'src/cli/remote_signer/': ['src/cli/', 'src/core/', 'node:assert/strict'],
  'src/cli/ssh/': ['src/cli/', 'src/gateway/base/local_socket.ts', 'node:'],
  'src/cli/service/local_http.ts': [
    'src/cli/',
    'src/gateway/admission/connections.ts',
    'src/gateway/admission/rate_limit.ts',
    'node:',
  ],
  'src/cli/custody/root_key_places.ts': ['src/cli/', 'src/gateway/root_key/', 'node:'],
  'src/cli/commands/backup.ts': ['src/cli/', 'src/gateway/custody/'],
  'src/cli/commands/restore/restore.ts': ['src/cli/', 'src/gateway/custody/'],
  'src/cli/commands/restore/accept.ts': ['src/cli/', 'src/gateway/custody/'],
  'src/cli/custody/custody_output.ts': ['src/cli/', 'src/gateway/'],
  'src/cli/custody/data_settings.ts': [
    'src/cli/',
    'src/gateway/custody/',
    'src/gateway/enclave/enclave_socket.ts',
    'src/gateway/root_key/',
    'src/settings/settings.ts',
    'src/store/unusable_data_error.ts',
    'node:path',
  ],
  'src/cli/commands/dashboard/dashboard.ts': ['src/cli/', 'src/gateway/dashboard/'],
  'src/cli/dashboard/dashboard_differences.ts': ['src/cli/', 'src/gateway/dashboard/'],
  'src/cli/dashboard/installed_dashboard.ts': [
    'src/cli/',
    'src/gateway/dashboard/',
    'src/store/unusable_data_error.ts',
  ],
  'src/cli/commands/dev.ts': ['src/cli/', 'src/dev/', 'node:path'],
  'src/dev/': [
    'src/core/',
    'src/dev/',
    'src/gateway/',
    'src/system/kernel_random.ts',
    'src/settings/settings.ts',
    'src/store/data_directory/data_directory.ts',
    'src/store/unusable_data_error.ts',
    'node:',
  ],
  'src/cli/commands/policy/check.ts': ['src/cli/', 'src/cli/policies/policy_command.ts'],
  'src/cli/commands/policy/test.ts': ['src/cli/', 'src/cli/policies/policy_command.ts'],
  'src/main.ts': ['src/cli/'],
};

/** The exports of `@keywright/client`. */
const clientEntries = ['bundles', 'index', 'proofs', 'webhooks'].map(
  (name) => `src/client/${name}.ts`,
);

test('imports follow the layers', () => {
  const broken: string[] = [];
  for (const file of filesBelow('src')) {
    const layer = Object.keys(layers)
      .filter((prefix) => file.startsWith(prefix))
      .sort((a, b) => b.length - a.length)[0];
    if (layer === undefined) {
      broken.push(`${file} belongs to no layer`);
      continue;
    }
    for (const { target, isType } of importsOf(file)) {
      const allowed = layers[layer]?.some((prefix) => target.startsWith(prefix));
      // A type of a port that a layer above implements is not a dependency at run time.
      if (!allowed && !(isType && target.startsWith('src/'))) broken.push(`${file} → ${target}`);
    }
  }
  assert.deepEqual(broken, []);
});

test('core files know of operations, pipeline and processes not even the types', () => {
  const broken = filesBelow('src/core').flatMap((file) =>
    importsOf(file)
      .filter(({ target }) => target.startsWith('src/') && !target.startsWith('src/core/'))
      .map(({ target }) => `${file} → ${target}`),
  );
  assert.deepEqual(broken, []);
});

test('the client library imports nothing but itself, not even types', () => {
  const broken = filesBelow('src/client').flatMap((file) =>
    importsOf(file)
      .filter(({ target }) => !target.startsWith('src/client/'))
      .map(({ target }) => `${file} → ${target}`),
  );
  assert.deepEqual(broken, []);
});

test('another file imports each source file', () => {
  const pages = ['holder_page/program', 'frame_pages/export', 'frame_pages/import'];
  const programs = pages.map((name) => `src/${name}.ts`);
  const entries = ['src/main.ts', 'src/enclave/main.ts', ...programs, ...clientEntries];
  const outside = [...filesBelow('tools'), ...filesBelow('bench')];
  const imported = new Set(
    [...filesBelow('src'), ...outside].flatMap((file) =>
      importsOf(file).map(({ target }) => target),
    ),
  );
  const dead = filesBelow('src').filter((file) => !imported.has(file) && !entries.includes(file));
  assert.deepEqual(dead, []);
});

test('the trusted base is exactly what is written down', () => {
  const reached = trustedBase();
  const written = readFileSync(join(root, 'test/architecture/enclave_closure.txt'), 'utf8');
  assert.equal(
    reached,
    written,
    'the enclave reaches other code than test/architecture/enclave_closure.txt says; if that is meant, write it there',
  );
});
