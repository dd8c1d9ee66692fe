// The store port: the enclave's only access to a database. The enclave seals the rows that it writes and
// verifies the rows that it reads; a store only stores, finds and orders them. Identifiers are UUIDv7 texts
// (lower case, dashed), so ascending id order is time order. Optional members are `undefined`, never omitted.

import type { Redelivery } from '../core/organization/changes.ts';
import type { DeliveryAttempt } from '../core/webhooks/delivery_view.ts';

/** A row of small state or of an unbounded kind; `body` is sealed. */
export type StoredRecord = {
  readonly organizationId: string;
  readonly kind: string;
  readonly id: string;
  /** Groups the pages of an unbounded kind, for example accounts by wallet. */
  readonly groupId: string | undefined;
  /** The organization's version in which the record was written. */
  readonly version: number;
  readonly body: Uint8Array;
};

export type StoredOrganization = {
  readonly organizationId: string;
  readonly parentId: string | undefined;
  /** Starts at 1; each commit that changes the organization raises it by exactly 1. */
  readonly version: number;
  /** This version, or the guard of the previous version. The enclave chooses and seals it in the head. */
  readonly guard: number;
  readonly head: Uint8Array;
};

export type StoredActivity = {
  readonly organizationId: string;
  readonly id: string;
  readonly type: string;
  readonly status: string;
  /** `timestampMs` of the request. The fingerprint index begins with it, so new rows are appended. */
  readonly bucket: number;
  /** SHA-256 of the raw request body; unique within (organization, bucket). */
  readonly fingerprint: Uint8Array;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  /** 1 when inserted; each update raises it by 1 and is conditional on the one before. */
  readonly version: number;
  readonly body: Uint8Array;
};

/** A blind index entry: a keyed hash that refers to a record. */
export type StoredLookup = {
  readonly index: string;
  readonly blind: Uint8Array;
  readonly organizationId: string;
  readonly recordId: string;
};

/** Replaces the ID of an endpoint for the audit trail; no endpoint has this ID. */
export const auditStreamId = 'audit';
/** The destinations of the audit trail. */
export const auditSinkKinds = ['file', 'url', 'syslog'] as const;
export type AuditSinkKind = (typeof auditSinkKinds)[number];
/** Returns the ID of the row that holds the position of a destination. */
export const auditPositionId = (kind: AuditSinkKind): string => `${auditStreamId}:${kind}`;

/** An event for one endpoint. The store assigns the next number of that endpoint. */
export type StoredEvent = {
  readonly endpointId: string;
  /** Owner of the endpoint. */
  readonly organizationId: string;
  readonly eventId: string;
  readonly createdAtMs: number;
  readonly body: Uint8Array;
};

/**
 * The state of a delivery: `waiting` for its next attempt, one of the three final states, or `pulled` if its
 * endpoint fetches its events.
 */
export const deliveryStates = ['waiting', 'delivered', 'failed', 'dropped', 'pulled'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** An event in the order of its endpoint, and its outcome. */
export type StoredDelivery = StoredEvent & {
  /** 1, 2, 3 … without a gap, in the order of the commits. */
  readonly sequence: number;
  readonly state: DeliveryState;
  /** Start of its delivery: its creation, or a requested redelivery. */
  readonly sinceMs: number;
  /** Time of the next attempt; undefined without one. */
  readonly dueAtMs: number | undefined;
  readonly attempts: number;
  /** Attempts that failed since the delivery began. */
  readonly failures: number;
};

/** An attempt at the delivery with this number. */
export type StoredAttempt = DeliveryAttempt & { readonly sequence: number };

export type DeliveryPage = {
  /** The number of the newest event of the endpoint, which may be deleted by now; 0 for none. */
  readonly lastSequence: number;
  /** In ascending order. */
  readonly deliveries: readonly StoredDelivery[];
  readonly attempts: readonly StoredAttempt[];
};

/** Maximum size of a body that a page includes. */
export const maximumInlineBytes = 16 * 1024;
/** Maximum total size of the bodies in one page. */
export const maximumPageBytes = 256 * 1024;

/** A page of ids in ascending order (`ascending`) or descending; cursors are exclusive ids. */
export type PageRequest = {
  /** Only ids greater than this one. */
  readonly greaterThan: string | undefined;
  /** Only ids less than this one. */
  readonly lessThan: string | undefined;
  readonly ascending: boolean;
  /** From 1 to 10,000. */
  readonly limit: number;
};

/** A state on which a decision was based. */
export type Condition = {
  readonly organizationId: string;
  /** Version of the organization at that time; 0 if it did not exist. */
  readonly version: number;
  /** True if a later version with the same guard is acceptable, for requests that only add activities. */
  readonly orLater: boolean;
};

/** One atomic step: all of it becomes durable, or nothing. */
export type StoreChange = {
  /** If one of them does not hold, the commit is a `conflict`. */
  readonly conditions: readonly Condition[];
  /** Version 1 inserts (an existing id is a `conflict`); a higher version replaces the previous version. */
  readonly organizations: readonly StoredOrganization[];
  /** Records to insert or replace. */
  readonly records: readonly StoredRecord[];
  readonly deletedRecords: readonly {
    readonly organizationId: string;
    readonly kind: string;
    readonly id: string;
  }[];
  readonly lookups: readonly StoredLookup[];
  readonly deletedLookups: readonly StoredLookup[];
  /** Version 1 inserts; a higher version replaces the previous version, else `conflict`. */
  readonly activities: readonly StoredActivity[];
  /** The store numbers them in this order. Each is due at once. */
  readonly events: readonly StoredEvent[];
  readonly redeliveries: readonly Redelivery[];
  /** Inserted once for each database; an existing row is a `conflict`. */
  readonly deployment: Uint8Array | undefined;
};

/** An empty change, as defaults. */
export const noChange: StoreChange = {
  conditions: [],
  organizations: [],
  records: [],
  deletedRecords: [],
  lookups: [],
  deletedLookups: [],
  activities: [],
  events: [],
  redeliveries: [],
  deployment: undefined,
};

/**
 * `committed`: the change is durable (fsync'ed). `duplicate`: an activity with the same organization, bucket
 * and fingerprint exists. `conflict`: a condition did not hold. Nothing is written unless committed.
 */
export const commitOutcomes = ['committed', 'conflict', 'duplicate'] as const;
export type CommitOutcome = (typeof commitOutcomes)[number];

export type OrganizationRequest = {
  readonly organizationId: string;
  /** Kinds of small state to load when the organization is not at `knownVersion`. */
  readonly kinds: readonly string[];
  /** The version that the caller has; 0 for none. */
  readonly knownVersion: number;
  /** Optional: also returns the activity with this fingerprint. */
  readonly fingerprint: { readonly bucket: number; readonly fingerprint: Uint8Array } | undefined;
};

/** One consistent snapshot. */
export type OrganizationAnswer = {
  /** Undefined if the organization does not exist. */
  readonly version: number | undefined;
  /** Guard of that version. */
  readonly guard: number | undefined;
  /** Undefined if the organization is at `knownVersion` or does not exist. */
  readonly organization: StoredOrganization | undefined;
  /** All records of the requested kinds; empty if the organization is at `knownVersion`. */
  readonly records: readonly StoredRecord[];
  readonly activity: StoredActivity | undefined;
};

export type StorePort = {
  deployment(): Promise<Uint8Array | undefined>;
  organization(request: OrganizationRequest): Promise<OrganizationAnswer>;
  /** Returns the ids of the direct children, including deleted children. */
  children(request: { parentId: string; page: PageRequest }): Promise<readonly string[]>;
  /**
   * Returns the existing records with these ids, at most 1,000. With `maximumBytes`, larger bodies are
   * omitted (empty), and so are all bodies from the first that takes their sum above the bound.
   */
  records(request: {
    organizationId: string;
    kind: string;
    ids: readonly string[];
    maximumBytes?: number | undefined;
  }): Promise<readonly StoredRecord[]>;
  /** Returns a page of one kind, of one group or of all groups. */
  recordPage(request: {
    organizationId: string;
    kind: string;
    groupId: string | undefined;
    page: PageRequest;
  }): Promise<readonly StoredRecord[]>;
  /**
   * Returns the entries of one blind value, ordered by (organizationId, recordId); `limit` 1 to 10,000.
   * `after` restricts them to organizations with greater ids.
   */
  lookup(request: {
    index: string;
    blind: Uint8Array;
    limit: number;
    after?: string | undefined;
  }): Promise<readonly StoredLookup[]>;
  /**
   * Returns the first 100 entries of each blind value by (organizationId, recordId), the values in any order.
   * At most 1,000 distinct values.
   */
  lookups(request: {
    index: string;
    blinds: readonly Uint8Array[];
  }): Promise<readonly StoredLookup[]>;
  /** Returns an activity. With `maximumBytes`, a larger body is omitted: it is empty. */
  activity(request: {
    organizationId: string;
    id: string;
    maximumBytes?: number | undefined;
  }): Promise<StoredActivity | undefined>;
  /**
   * Returns a page of activities; empty lists do not filter. A body above `maximumInlineBytes` is omitted
   * (empty). All bodies are omitted from the first that takes the page above `maximumPageBytes`.
   */
  activityPage(request: {
    organizationId: string;
    statuses: readonly string[];
    types: readonly string[];
    page: PageRequest;
  }): Promise<readonly StoredActivity[]>;
  /**
   * Returns events of one endpoint with numbers greater than `after`, and their attempts; `limit` 1 to 1,000.
   * With `eventIds` (at most 1,000), returns only these events, without attempts.
   */
  deliveryPage(request: {
    endpointId: string;
    after: number;
    limit: number;
    eventIds: readonly string[];
  }): Promise<DeliveryPage>;
  commit(change: StoreChange): Promise<CommitOutcome>;
};
