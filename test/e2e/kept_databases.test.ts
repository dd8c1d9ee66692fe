// Stored databases of all releases. This release opens and reads each, and its signatures are the same. A
// release that lacks a rule of a database refuses it.

import assert from 'node:assert/strict';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { ServiceError } from '../../src/core/errors/errors.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite.ts';
import { startServiceOver } from '../enclave/service_over.ts';
import { startMs } from '../support/harness.ts';
import { httpClient, timestampMs } from './clients.ts';
import { startService, temporaryDirectory } from './service.ts';

const releases = join(import.meta.dirname, '../vectors/releases');
const manifest = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'),
) as { readonly version: string };

/** The facts that the script stored with a database. */
type StoredFacts = {
  readonly rootKey: string;
  readonly rules: readonly string[];
  readonly root: Readonly<Record<string, string>> & { readonly organizationId: string };
  readonly signer: { readonly apiPublicKey: string; readonly apiPrivateKey: string };
  readonly policyId: string;
  readonly addresses: readonly string[];
  readonly signatures: readonly {
    readonly parameters: {
      readonly signWith: string;
      readonly payload: string;
      readonly encoding: 'PAYLOAD_ENCODING_TEXT_UTF8';
      readonly hashFunction: 'HASH_FUNCTION_SHA256';
    };
    readonly activityId: string;
    readonly result: Readonly<Record<'r' | 's' | 'v', string>>;
  }[];
};

const storedOf = (version: string): StoredFacts =>
  JSON.parse(readFileSync(join(releases, version, 'kept.json'), 'utf8'));

/** Returns a data directory with a copy of the database of a release. */
function dataOf(version: string): string {
  const { rootKey, root } = storedOf(version);
  const directory = join(temporaryDirectory(), 'data');
  mkdirSync(directory, { mode: 0o700 });
  const at = (name: string) => join(directory, name);
  copyFileSync(join(releases, version, 'keywright.sqlite'), at('keywright.sqlite'));
  chmodSync(at('keywright.sqlite'), 0o600);
  writeFileSync(at('root.key'), Uint8Array.fromHex(rootKey), { mode: 0o600 });
  const places = { baseUrl: '', authProxyUrl: '' };
  const credentials = JSON.stringify({ ...places, ...root });
  writeFileSync(at('root-credentials.json'), credentials, { mode: 0o600 });
  return directory;
}

const versions = readdirSync(releases);

test('this version has a database, written by tools/write_kept_database.ts', () => {
  assert.ok(versions.includes(manifest.version));
});

for (const version of versions) {
  describe(`the database of ${version}`, () => {
    const stored = storedOf(version);

    test('is opened, read, and signed with', async () => {
      const dataDirectory = dataOf(version);
      // The second start opens the changes of the first one.
      for (const _ of ['upgraded', 'again']) {
        const service = await startService({ dataDirectory });
        const { organizationId } = stored.root;
        const root = httpClient(service);
        const { policy } = await root.getPolicy({ organizationId, policyId: stored.policyId });
        assert.equal(policy.policyName, 'Signer signs');
        for (const { parameters, activityId, result } of stored.signatures) {
          const { activity } = await root.getActivity({ organizationId, activityId });
          const { r, s, v } = activity.result.signRawPayloadResult ?? {};
          assert.deepEqual({ r, s, v }, result, 'the stored signature');
          const signed = await httpClient(service, stored.signer).signRawPayload({
            type: 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2',
            timestampMs: timestampMs(),
            organizationId,
            parameters,
          });
          const now = signed.activity.result.signRawPayloadResult;
          assert.deepEqual({ r: now?.r, s: now?.s, v: now?.v }, result, 'as it is signed now');
        }
        const { wallets } = await root.getWallets({ organizationId });
        assert.equal(wallets.length, 1);
        await service.stop();
      }
    });

    for (const rule of stored.rules) {
      test(`is refused by a release that does not know the rule ${rule}`, async () => {
        const store = openSqliteStore({ file: join(dataOf(version), 'keywright.sqlite') });
        try {
          const rules = stored.rules.filter((each) => each !== rule);
          const begin = async () => {
            const older = await startServiceOver({
              store: store.port,
              seed: 'older',
              clock: () => startMs + 60_000,
              rootKey: Uint8Array.fromHex(stored.rootKey),
              rules,
            });
            return older.enclave.bootstrap({
              organizationName: '',
              userName: '',
              apiKeyName: '',
              apiPublicKey: stored.signer.apiPublicKey,
              enablesAuthProxy: false,
            });
          };
          await assert.rejects(begin(), (error) => {
            assert.ok(error instanceof ServiceError);
            assert.equal(error.code, 'rule_unknown');
            assert.match(error.message, new RegExp(`\\b${rule}\\b`));
            return true;
          });
        } finally {
          await store.close();
        }
      });
    }
  });
}
