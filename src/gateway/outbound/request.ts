// A request to another service, and its outcome.

export type OutboundRequest = {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  /** The caller may not set `Host`, lengths, connection and encodings. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /** Total timeout: name lookup, connection, request and answer. */
  readonly timeoutMs: number;
  /** Maximum size of the answer's body. */
  readonly maximumBytes: number;
};

export type OutboundAnswer = {
  readonly status: number;
  /** By lower-case name; repeated headers are joined as in Node. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The bytes as sent: content codings are not decoded. */
  readonly body: Uint8Array;
};

/** The reason for a missing answer. `detail` is for the operator's log; it never quotes the request. */
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
