// Writes large data sets directly into the database of a stopped service: sealed with its root key by the
// enclave's own writer, many organizations per commit.

import { closeSync, fsyncSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { hex } from '../src/core/base/bytes.ts';
import { createIdSource } from '../src/core/base/ids.ts';
import { knownRules } from '../src/core/custody/rules.ts';
import { createImportTarget } from '../src/core/keys/import_targets.ts';
import { addAccounts, createWallet, deriveAccounts } from '../src/core/keys/wallets.ts';
import {
  createDraft,
  newOrganizationState,
  type OrganizationDraft,
} from '../src/core/organization/state.ts';
import { createPolicies, type PolicyParameters } from '../src/core/policy/policies.ts';
import { newSubOrganizationHead } from '../src/core/settings/sub_organizations.ts';
import { createUser } from '../src/core/users/users.ts';
import { createKeyring } from '../src/enclave/keys/keyring.ts';
import { createRootKeys } from '../src/enclave/keys/root_keys.ts';
import { createSealing } from '../src/enclave/keys/sealing.ts';
import { createSigningKeyCache } from '../src/enclave/keys/signing_key_cache.ts';
import {
  createChangeWriter,
  type LoadedOrganization,
  type OrganizationChange,
} from '../src/enclave/records/change_writer.ts';
import { createRecordCodec } from '../src/enclave/records/record_codec.ts';
import { readRootKey } from '../src/store/data_directory/data_directory.ts';
import { openDatabase } from '../src/store/sqlite/sqlite.ts';
import { createSqliteStore } from '../src/store/sqlite/store.ts';
import { openKernelRandom } from '../src/system/kernel_random.ts';
import { noOrganizationKeys } from '../test/support/organization_keys.ts';
import { ethereumAccount, newSigner, type Signer } from './client.ts';
import { credentialsIn } from './service.ts';

/** A sub-organization with a wallet of one account, whose address signs. */
export type MadeOrganization = { readonly signer: Signer; readonly address: string };

/** A sub-organization with a wallet, and with a target for a key import by its root user. */
export type ImportingOrganization = {
  readonly signer: Signer;
  readonly userId: string;
  readonly walletId: string;
  /** 65 bytes. */
  readonly targetPublicKey: Uint8Array;
};

/** Adds rows to the database of a stopped service. */
export type Population = {
  /** Creates a sub-organization whose root user has the signer's key; other users have the other keys. */
  organization(keyCount: number): Promise<MadeOrganization>;
  /** Creates a sub-organization with these policies; the signer is a user outside of the root quorum. */
  organizationOfPolicies(
    policies: (userId: string) => readonly PolicyParameters[],
  ): Promise<MadeOrganization>;
  /** Creates sub-organizations with one user and one key each. */
  emptyOrganizations(count: number): Promise<void>;
  importingOrganizations(count: number): Promise<readonly ImportingOrganization[]>;
  /**
   * Creates a sub-organization with this number of accounts in ten wallets, of which the first can sign.
   */
  organizationOfAccounts(count: number): Promise<MadeOrganization>;
  close(): Promise<void>;
};

const organizationsPerCommit = 5_000;
const accountsPerChange = 10_000;
/**
 * Look-ups have random positions, so each commit writes most of their pages; few large commits are faster.
 */
const changesPerCommit = 8;
const walletsOfManyAccounts = 10;
const keysPerUser = 10;

/** Without log and flushes, since the database is empty at the start and flushed at the end. */
const bulkSettings = [
  'PRAGMA journal_mode = OFF',
  'PRAGMA synchronous = OFF',
  // The page cache in KiB, large enough for a whole data set.
  'PRAGMA cache_size = -4194304',
];

/** Opens the database of a service that has run at least once. */
export function openPopulation(dataDirectory: string): Population {
  const { organizationId: parentId } = credentialsIn(dataDirectory);
  const rootKey = readRootKey(join(dataDirectory, 'root.key'));
  if (rootKey === undefined) throw new Error('the service has not been started yet');
  const file = join(dataDirectory, 'keywright.sqlite');
  const database = openDatabase({ file });
  for (const setting of bulkSettings) database.exec(setting);
  const store = createSqliteStore(database);
  const random = openKernelRandom();
  const keys = createRootKeys(rootKey);
  const codec = createRecordCodec(createSealing('seal', keys, random));
  const writer = createChangeWriter({ codec, keys, level: knownRules.length });
  const wrapping = createSealing('wrap', keys, random);
  const cache = createSigningKeyCache();
  const newId = createIdSource({ clock: Date.now, random });
  const context = { now: Date.now(), newId };
  let organizations = 0;

  /** Commits everything that is submitted in the same turn of the event loop in one transaction. */
  async function commit(parts: readonly OrganizationChange[]): Promise<void> {
    const rows = parts.map((part) => part.rows);
    const outcome = await store.port.commit({
      conditions: [],
      organizations: rows.flatMap((row) => row.organizations),
      records: rows.flatMap((row) => row.records),
      deletedRecords: [],
      lookups: rows.flatMap((row) => row.lookups),
      deletedLookups: [],
      activities: [],
      events: [],
      redeliveries: [],
      deployment: undefined,
    });
    if (outcome !== 'committed') throw new Error(`the data set was not written: ${outcome}`);
  }

  /** Returns a new sub-organization: its root user has one key, the others have ten each. */
  function draftOf(publicKeys: readonly string[]) {
    organizations += 1;
    const id = newId();
    const name = `Bench ${organizations}`;
    const { now } = context;
    const head = newSubOrganizationHead({ name, rootQuorumThreshold: 1, switches: {}, now });
    const draft = createDraft(newOrganizationState(id, parentId, head));
    const root = addUser(draft, 'Root', publicKeys.slice(0, 1));
    draft.setHead({ rootQuorum: { threshold: 1, userIds: [root.id] } });
    for (let first = 1; first < publicKeys.length; first += keysPerUser) {
      addUser(draft, `User ${first}`, publicKeys.slice(first, first + keysPerUser));
    }
    return { id, draft };
  }

  function addUser(draft: OrganizationDraft, userName: string, publicKeys: readonly string[]) {
    const apiKeys = publicKeys.map((publicKey, i) => ({
      apiKeyName: `Key ${i}`,
      publicKey,
      curveType: 'API_KEY_CURVE_P256' as const,
    }));
    const lists = { apiKeys, authenticators: [], oauthProviders: [] };
    return createUser({ userName, ...lists }, draft, context, {
      field: 'user',
      allowedOrigins: undefined,
      providers: [],
    });
  }

  function addWallet(draft: OrganizationDraft, name: string) {
    const keyring = createKeyring({
      organizationId: draft.id,
      wrapping,
      random,
      cache,
      ...noOrganizationKeys(),
    });
    const input = { id: newId(), name, mnemonicLength: 12, now: context.now };
    const wallet = createWallet(input, draft, keyring);
    const derived = deriveAccounts(wallet, [ethereumAccount], keyring, 'accounts');
    const [account] = addAccounts(wallet.id, derived, draft, context);
    if (account === undefined) throw new Error('no account');
    return { wallet, account };
  }

  function written({ id, draft }: ReturnType<typeof draftOf>): OrganizationChange {
    return writer.writeNew({ id, parentId, head: draft.head, changes: draft.changes() });
  }

  return {
    organization: async (keyCount) => {
      const signer = newSigner('');
      const others = Array.from({ length: keyCount - 1 }, () => newSigner('').publicKeyHex);
      const made = draftOf([signer.publicKeyHex, ...others]);
      const { account } = addWallet(made.draft, 'bench');
      await commit([written(made)]);
      return { signer: { ...signer, organizationId: made.id }, address: account.address };
    },
    organizationOfPolicies: async (policies) => {
      const signer = newSigner('');
      const made = draftOf([newSigner('').publicKeyHex]);
      const user = addUser(made.draft, 'Signer', [signer.publicKeyHex]);
      const { account } = addWallet(made.draft, 'bench');
      createPolicies(policies(user.id), made.draft, context, (i) => `policies.${i}`);
      await commit([written(made)]);
      return { signer: { ...signer, organizationId: made.id }, address: account.address };
    },
    emptyOrganizations: async (count) => {
      for (let left = count; left > 0; left -= organizationsPerCommit) {
        const parts = Array.from({ length: Math.min(left, organizationsPerCommit) }, () =>
          written(draftOf([newSigner('').publicKeyHex])),
        );
        await commit(parts);
      }
    },
    importingOrganizations: async (count) => {
      const made = Array.from({ length: count }, () => {
        const signer = newSigner('');
        const { id, draft } = draftOf([signer.publicKeyHex]);
        const [userId = ''] = draft.head.rootQuorum.userIds;
        const { wallet } = addWallet(draft, 'bench');
        const keyring = createKeyring({
          organizationId: id,
          wrapping,
          random,
          cache,
          ...noOrganizationKeys(),
        });
        const wanted = { userId, purpose: 'private_key' } as const;
        const targetPublicKey = createImportTarget(wanted, draft, keyring, context);
        const shown = { signer: { ...signer, organizationId: id }, userId, walletId: wallet.id };
        return { rows: written({ id, draft }), shown: { ...shown, targetPublicKey } };
      });
      await commit(made.map(({ rows }) => rows));
      return made.map(({ shown }) => shown);
    },
    organizationOfAccounts: async (count) => {
      const signer = newSigner('');
      const owner = draftOf([signer.publicKeyHex]);
      const wallets = Array.from({ length: walletsOfManyAccounts }, (_, i) =>
        addWallet(owner.draft, `bench ${i}`),
      );
      const [first] = wallets;
      if (first === undefined) throw new Error('no wallet');
      const founded = written(owner);
      await commit([founded]);
      let loaded: LoadedOrganization = founded.after;
      const submitted: Promise<void>[] = [];
      for (let made = wallets.length; made < count; made += accountsPerChange) {
        const draft = createDraft(loaded.state);
        for (let i = 0; i < Math.min(accountsPerChange, count - made); i += 1) {
          const index = made + i;
          const { wallet, account } = wallets[index % wallets.length] ?? first;
          // A well-formed address that is never derived, because no signature uses it.
          const address = `0x${hex(random(20))}`;
          const path = `m/44'/60'/0'/0/${index}`;
          draft.add('wallet_account', {
            ...account,
            id: newId(),
            walletId: wallet.id,
            path,
            address,
          });
        }
        const part = writer.write(loaded, draft.changes());
        submitted.push(commit([part]));
        loaded = part.after;
        if (submitted.length === changesPerCommit) await Promise.all(submitted.splice(0));
      }
      await Promise.all(submitted);
      const { address } = first.account;
      return { signer: { ...signer, organizationId: owner.id }, address };
    },
    close: async () => {
      await store.close();
      const written = openSync(file, 'r+');
      fsyncSync(written);
      closeSync(written);
    },
  };
}
