// The dependencies of an HTTP server of the gateway.

import type { ActivityTimes } from '../../core/base/compatibility.ts';
import type { AnswerOf, EnclaveMessages, RequestOf } from '../../ipc/messages.ts';
import type { BodyPace } from '../admission/body_reader.ts';
import type { ConnectionLimits, Connections } from '../admission/connections.ts';
import type { HeldRequests } from '../admission/held_requests.ts';
import type { KnownKeys } from '../admission/known_keys.ts';
import type { LoadLimiter, LoadLimits } from '../admission/load_limiter.ts';
import type { RateLimits, Source } from '../admission/rate_limit.ts';
import type { Dashboard } from '../dashboard/routes.ts';
import type { Development } from '../development/development.ts';
import type { Frames } from '../frames/routes.ts';
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
  /** Notifies the enclave that the client of a request disconnected. */
  readonly cancel?: (cancelId: number) => void;
  /** Returns why the service is not ready; empty once it is. */
  readonly notReady: () => readonly string[];
  /** The enclave's documents about the service as JSON, which change only in a rotation of the root key. */
  readonly discovery: Discovery;
  /** Returns the key set (JWKS) of webhooks, as JSON. */
  readonly webhookKeySet: () => Promise<Uint8Array>;
  /** The log of the deployment. Default: it is not served. */
  readonly entryLog?:
    | {
        checkpoint(): Promise<{ readonly note: string | undefined; readonly key: string }>;
        /** The lines of a policy after the log: witnesses, groups and quorum. */
        readonly witnessLines: string;
        /** Returns undefined if the log has no tile of this path. */
        tile(path: string): Promise<Uint8Array | undefined>;
      }
    | undefined;
  /** Collects shares of the root key. Default: the path does not exist. */
  readonly shares?: Pick<ShareCollection, 'statement' | 'give'> | undefined;
  /** The messages of `GET /dev/inbox`. Default: the path does not exist. */
  readonly inbox?: Pick<DevelopmentInbox, 'read' | 'token'> | undefined;
  /** Development mode other than the inbox. Default: off. */
  readonly development?: Development | undefined;
  /** The dashboard. Default: the path does not exist. */
  readonly dashboard?: Dashboard | undefined;
  /** The frames for exports and imports. Default: the paths do not exist. */
  readonly frames?: Frames | undefined;
  /** Returns the OpenAPI document for the server's own address, or its JSON. */
  readonly openApi: () => Promise<object | Uint8Array>;
  /** The parts of the API that this server has besides the probes. Default: all. */
  readonly serves?: readonly HttpPart[];
  readonly log: Log;
  readonly metrics: Metrics;
  /** Default: no traces. */
  readonly tracing?: Tracing;
  /** Shared by the servers of one process. Default: a new one. */
  readonly load?: LoadLimiter;
  /** Shared by the servers of one process. Default: new ones. */
  readonly connections?: Connections;
  /** Shared by the servers of one process. Default: new ones. */
  readonly knownKeys?: KnownKeys;
  /** Tests replace it, because their clients share the addresses of one machine. */
  readonly sourceOf?: (source: Source) => string;
  /** Shared by the servers of one process. Default: no answer is held. */
  readonly held?: HeldRequests;
  /** The form of the times of activities. Default: by the client. */
  readonly activityTimes?: ActivityTimes;
  /** Default: no rate limits. */
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
  /** Rejects new requests, waits for those in progress, and ends them after the given time. */
  drain(timeoutMs: number): Promise<void>;
};
