// The parts that an HTTP server of the gateway is made of.

import type { AnswerOf, EnclaveMessages, RequestOf } from '../../ipc/messages.ts';
import type { BodyPace } from '../admission/body_reader.ts';
import type { ConnectionLimits, Connections } from '../admission/connections.ts';
import type { HeldRequests } from '../admission/held_requests.ts';
import type { KnownKeys } from '../admission/known_keys.ts';
import type { LoadLimiter, LoadLimits } from '../admission/load_limiter.ts';
import type { RateLimits, Source } from '../admission/rate_limit.ts';
import type { Dashboard } from '../dashboard/routes.ts';
import type { Development } from '../development/development.ts';
import type { DevelopmentInbox } from '../messages/development_inbox.ts';
import type { Log } from '../observability/log.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { HttpPart } from '../protocol/paths.ts';
import type { ShareCollection } from '../root_key/shares.ts';
import type { Tracing } from '../traces/tracing.ts';

export type EnclaveRequest = RequestOf<EnclaveMessages['request']>;
export type EnclaveAnswer = AnswerOf<EnclaveMessages['request']>;
type Discovery = AnswerOf<EnclaveMessages['discovery']>;

export type HttpOptions = {
  readonly ask: (request: EnclaveRequest) => Promise<EnclaveAnswer>;
  /** Reports to the enclave that the client of a request disconnected. */
  readonly cancel?: (cancelId: number) => void;
  /** Why the service is not ready; empty when it is. */
  readonly notReady: () => readonly string[];
  /** The enclave's documents about the service: JSON, the same from start to end. */
  readonly discovery: Discovery;
  /** The key set (JWKS) of webhooks, as JSON. */
  readonly webhookKeySet: () => Promise<Uint8Array>;
  /** The log of the deployment. Default: it is not served. */
  readonly entryLog?:
    | {
        checkpoint(): Promise<{ readonly note: string | undefined; readonly key: string }>;
        /** The policy lines after the log: witnesses, groups and quorum. */
        readonly witnessLines: string;
        /** Returns undefined if the log has no tile of this path. */
        tile(path: string): Promise<Uint8Array | undefined>;
      }
    | undefined;
  /** Collects shares of the root key. Default: the path does not exist. */
  readonly shares?: Pick<ShareCollection, 'statement' | 'give'> | undefined;
  /** The messages of `GET /dev/inbox`. If absent, there is no such path. */
  readonly inbox?: Pick<DevelopmentInbox, 'read' | 'token'> | undefined;
  /** The parts of development mode besides the inbox; absent outside of development mode. */
  readonly development?: Development | undefined;
  /** The dashboard. If absent, there is no such path. */
  readonly dashboard?: Dashboard | undefined;
  /** The OpenAPI document for the server's own address, or its JSON. */
  readonly openApi: () => Promise<object | Uint8Array>;
  /** The parts served here besides the probes; absent: all of them. */
  readonly serves?: readonly HttpPart[];
  readonly log: Log;
  readonly metrics: Metrics;
  /** Absent: nothing is traced. */
  readonly tracing?: Tracing;
  /** Shared by the servers of one process; absent: one of its own. */
  readonly load?: LoadLimiter;
  /** Shared by the servers of one process; absent: one of its own. */
  readonly connections?: Connections;
  /** Shared by the servers of one process; absent: one of its own. */
  readonly knownKeys?: KnownKeys;
  /** Tests replace it, because their clients share the addresses of one machine. */
  readonly sourceOf?: (source: Source) => string;
  /** Shared by the servers of one process; absent: no answer is held for callers who wait. */
  readonly held?: HeldRequests;
  /** Absent: nothing is limited by its source or organization. */
  readonly rateLimits?: RateLimits;
  readonly limits: HttpLimits;
};

export type HttpLimits = LoadLimits &
  ConnectionLimits &
  BodyPace & {
    readonly bodyLimitBytes: number;
    readonly headersTimeoutMs: number;
    readonly requestTimeoutMs: number;
  };

export type HttpServer = {
  /**
   * Returns the port. With `asLocalhost` the server also listens at ::1, and raises if another program has
   * that address.
   */
  listen(address: {
    readonly host: string;
    readonly port: number;
    readonly asLocalhost?: boolean;
  }): Promise<number>;
  /** From now on each answer closes its connection, and no answer is held. */
  retire(): void;
  /** Refuses new requests, waits for those in flight, and after the given time ends them. */
  drain(timeoutMs: number): Promise<void>;
};
