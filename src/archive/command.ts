// `keywright archive`, `archive verify` and `archive import`: the operator's commands on the data of the
// service. With PostgreSQL the service can keep running. A data folder has one owner, so with SQLite the
// service must be stopped.

import { bytesOfHex } from '../core/base/bytes.ts';
import { p256 } from '../core/crypto/p256.ts';
import type { ArchiveEnd } from '../core/custody/record.ts';
import { knownRules } from '../core/custody/rules.ts';
import { createSealing } from '../enclave/keys/sealing.ts';
import { createServiceKeys } from '../enclave/keys/service_keys.ts';
import { createCustodyReader, custodyId } from '../enclave/records/custody_reader.ts';
import { createRecordCodec, type RecordCodec } from '../enclave/records/record_codec.ts';
import { createCustody, noAnchor } from '../enclave/services/custody.ts';
import type { Settings } from '../settings/settings.ts';
import type { Store } from '../store/store.ts';
import type { Snapshot } from '../store/tables/copied_tables.ts';
import { UnusableDataError } from '../store/unusable_data_error.ts';
import { type Archived, type ArchiveStep, archiveActivities, importSegments } from './archive.ts';
import { type Checking, segmentsOf } from './chain.ts';
import {
  type CreatedOrganization,
  type CreatedOrganizations,
  findCreated,
  organizationIn,
} from './created_organizations.ts';
import { openArchiveDirectory, segmentNumberText } from './directory.ts';
import { type ArchiveEnds, archiveEnds } from './ends.ts';
import {
  custodyPorts,
  type OfflineSettings,
  type Operator,
  orUnusable,
  snapshotOf,
  withRootKeys,
  withStore,
} from './offline_data.ts';
import { SegmentRefusedError } from './segment.ts';

type DataSettings = OfflineSettings &
  Pick<Settings, 'webhookRetentionDays' | 'livenessMaximumAgeMs'>;

const dayMs = 24 * 60 * 60 * 1000;

/**
 * Returns the latest decision time that may be archived. By then requests are stale, votes have expired and
 * webhook deliveries are deleted; one more day is added.
 */
export function latestBefore(
  now: number,
  { webhookRetentionDays, livenessMaximumAgeMs }: DataSettings,
): number {
  const needed = Math.max(webhookRetentionDays * dayMs, livenessMaximumAgeMs, dayMs);
  return now - needed - dayMs;
}

/** Moves decided activities into the folder. Raises UnusableDataError, SegmentRefusedError. */
export async function runArchive(
  settings: DataSettings,
  requested: {
    readonly to: string;
    readonly before: number;
    readonly organizationId?: string | undefined;
    readonly now: number;
    readonly operator: Operator;
    readonly step?: (name: ArchiveStep, segment: string) => void;
    readonly segmentBytes?: number;
    readonly acceptsLoss?: boolean | undefined;
  },
): Promise<Archived> {
  const { before, now, to, organizationId, operator, ...more } = requested;
  const latest = latestBefore(now, settings);
  if (before > latest) {
    throw new UnusableDataError(
      `activities younger than ${new Date(latest).toISOString()} are not archived: webhooks, votes and repeated requests may still need them`,
    );
  }
  return withData(settings, { folder: to, operator }, async (tools) => {
    const { oldestAuditLineMs } = await tools.store.vitals();
    if (oldestAuditLineMs !== undefined && oldestAuditLineMs < before) {
      throw new UnusableDataError(
        `activities from ${new Date(oldestAuditLineMs).toISOString()} on are not archived: the audit trail does not have them yet`,
      );
    }
    return archiveActivities({ before, organizationId }, { ...tools, ...more, clock: () => now });
  });
}

/** Restores the activities of a folder. Raises UnusableDataError, SegmentRefusedError. */
export function runImport(
  settings: DataSettings,
  {
    from,
    acceptsLoss,
    operator,
  }: {
    readonly from: string;
    readonly acceptsLoss?: boolean | undefined;
    readonly operator: Operator;
  },
) {
  return withData(settings, { folder: from, operator }, (tools) =>
    importSegments({ ...tools, acceptsLoss }),
  );
}

/** The source of the expected end of the archive. With `nothing`, missing last segments go unnoticed. */
export type EndKnownBy = 'database' | 'digest' | 'nothing';

export type Verified = Archived & {
  readonly lastManifestDigest: string;
  readonly opened: boolean;
  readonly endKnownBy: EndKnownBy;
  /** Organizations that activities of the archive created; undefined if they were not searched for. */
  readonly organizations: CreatedOrganizations | undefined;
};

/**
 * Checks each segment of a folder. The public key (hex) alone detects altered bytes. With the root key, each
 * row must also open. With the database, also detects missing last segments and missing organizations that an
 * activity created. `last` is a digest of an earlier run, whose segment must exist. Raises
 * SegmentRefusedError, UnusableDataError.
 */
export async function runVerify(
  settings: DataSettings,
  {
    from,
    publicKey,
    last,
    operator,
  }: {
    readonly from: string;
    readonly publicKey?: string | undefined;
    readonly last?: string | undefined;
    readonly operator: Operator;
  },
): Promise<Verified> {
  if (publicKey !== undefined) {
    const checking = { publicKey: compressed(bytesOfHex(publicKey) ?? new Uint8Array(0)) };
    return verified(from, checking, { last });
  }
  return withKeys(settings, operator, async (keys) => {
    const snapshot = await snapshotOf(settings);
    if (snapshot === undefined) return verified(from, keys, { last });
    try {
      const end = await endIn(snapshot, keys);
      return await verified(from, { ...keys, end }, { last, snapshot });
    } finally {
      await snapshot.close();
    }
  });
}

async function endIn(
  snapshot: Snapshot,
  { codec }: Pick<Keys, 'codec'>,
): Promise<ArchiveEnd | undefined> {
  const organization = await organizationIn(snapshot, custodyId);
  const { version, guard } = organization ?? {};
  const store = {
    organization: async () => ({ version, guard, organization, records: [], activity: undefined }),
    commit: async () => 'conflict' as const,
  };
  const reader = createCustodyReader({
    store,
    codec,
    anchor: noAnchor,
    clock: Date.now,
    rules: knownRules,
  });
  return orUnusable(archiveEnds(reader).read());
}

function compressed(publicKey: Uint8Array): Uint8Array {
  const parsed = p256.parsePublicKey(publicKey);
  if (parsed === undefined) {
    throw new UnusableDataError(
      'the public key is not a point of P-256 in hex, as keywright keys prints it',
    );
  }
  return parsed;
}

async function verified(
  from: string,
  checking: Checking & { readonly codec?: RecordCodec },
  {
    last: expectedLast,
    snapshot,
  }: { readonly last: string | undefined; readonly snapshot?: Snapshot | undefined },
): Promise<Verified> {
  const directory = openArchiveDirectory(from);
  try {
    let last = '';
    let hasExpected = false;
    const total = { segments: 0, activities: 0 };
    const organizations = { created: 0, deleted: 0, missing: 0 };
    const { codec, end } = checking;
    let created: CreatedOrganization[] = [];
    const looking = { ...checking, created: (each: CreatedOrganization) => created.push(each) };
    for (const { file, segment } of segmentsOf(directory, looking)) {
      if (snapshot !== undefined && codec !== undefined) {
        const isRemembered = file.number <= (end?.segments ?? 0);
        const found = await findCreated(snapshot, codec, {
          segment: file.name,
          isRemembered,
          created,
        });
        organizations.created += found.created;
        organizations.deleted += found.deleted;
        organizations.missing += found.missing;
      }
      created = [];
      total.segments += 1;
      total.activities += segment.activities.length;
      last = segment.manifestDigest;
      hasExpected ||= last === expectedLast;
    }
    if (expectedLast !== undefined && !hasExpected) {
      const next = `${segmentNumberText(total.segments + 1)}.segment`;
      throw new SegmentRefusedError(
        next,
        `no segment in the folder has the digest ${expectedLast}`,
      );
    }
    const byDigest = expectedLast === undefined ? 'nothing' : 'digest';
    const endKnownBy = snapshot === undefined ? byDigest : 'database';
    return {
      ...total,
      lastManifestDigest: last,
      endKnownBy,
      opened: codec !== undefined,
      organizations: snapshot && organizations,
    };
  } finally {
    directory.close();
  }
}

type Keys = {
  readonly codec: RecordCodec;
  readonly publicKey: Uint8Array;
  readonly sign: (digest: Uint8Array) => Uint8Array;
};

function withKeys<Result>(
  settings: DataSettings,
  operator: Operator,
  run: (keys: Keys) => Result | Promise<Result>,
): Promise<Result> {
  return withRootKeys(settings, operator, async ({ rootKeys, random }) => {
    const serviceKeys = createServiceKeys(rootKeys, random);
    try {
      return await run({
        codec: createRecordCodec(createSealing('seal', rootKeys, random)),
        publicKey: compressed(serviceKeys.publicKey('archivist')),
        sign: (digest) => serviceKeys.sign('archivist', digest),
      });
    } finally {
      serviceKeys.close();
    }
  });
}

function withData<Result>(
  settings: DataSettings,
  { folder, operator }: { readonly folder: string; readonly operator: Operator },
  run: (
    tools: Keys & {
      readonly store: Store;
      readonly ends: ArchiveEnds;
      readonly directory: ReturnType<typeof openArchiveDirectory>;
    },
  ) => Promise<Result>,
): Promise<Result> {
  return withKeys(settings, operator, (keys) =>
    withStore(settings, async (store) => {
      const ends = await endsOfCopy(settings, keys.codec, store);
      const directory = openArchiveDirectory(folder);
      try {
        return await run({ ...keys, store, ends, directory });
      } finally {
        directory.close();
      }
    }),
  );
}

/** Rejects a replica that may not sign, and data under a custody rule unknown to this release. */
async function endsOfCopy(
  settings: DataSettings,
  codec: RecordCodec,
  store: Store,
): Promise<ArchiveEnds> {
  const ports = custodyPorts(settings, codec, store);
  await orUnusable(createCustody(ports).checkChanges());
  return archiveEnds(createCustodyReader(ports));
}
