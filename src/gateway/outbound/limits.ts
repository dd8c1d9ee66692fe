/** The bounds of outgoing requests. */
export const outboundLimits = {
  /** Requests under way at one time; more are refused as `busy`. */
  requests: 128,
  /** Connections to one host and port, so that a slow host does not take all places. */
  requestsPerHost: 16,
  /** Connections kept open for the next request. */
  idleConnections: 64,
  idleMs: 4000,
  /** Status line and headers of an answer. */
  headerBytes: 16 * 1024,
  /** A name with more addresses is refused unread. */
  addresses: 64,
  /** Addresses that are tried when nothing answers at the one before. */
  attempts: 3,
};
