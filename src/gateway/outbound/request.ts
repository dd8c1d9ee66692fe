// A request to another service, and its outcome.

export type OutboundRequest = {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  /** `Host`, lengths, connection and encodings are not the caller's. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /** Total time: name, connection, request and answer. */
  readonly timeoutMs: number;
  /** Largest body of an answer. */
  readonly maximumBytes: number;
};

export type OutboundAnswer = {
  readonly status: number;
  /** By lower-case name; repeated ones as Node joins them. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The bytes as sent: content codings are not decoded. */
  readonly body: Uint8Array;
};

/** Why there is no answer. `detail` is for the operator's log; it never quotes the request. */
export type OutboundFailure = {
  readonly failure:
    | 'refused_target'
    | 'name_not_found'
    | 'timeout'
    | 'too_large'
    | 'network'
    | 'busy';
  readonly detail: string;
};
