/** The bounds of outgoing requests. */
export const outboundLimits = {
  /** Maximum requests in progress; further ones fail as `busy`. */
  requests: 128,
  /** Maximum connections to one host and port, so that a slow host does not take all places. */
  requestsPerHost: 16,
  /** Maximum idle connections kept for later requests. */
  idleConnections: 64,
  idleMs: 4000,
  /** Maximum size of the status line and headers of an answer. */
  headerBytes: 16 * 1024,
  /** Maximum addresses of a name; a name with more is rejected. */
  addresses: 64,
  /** Maximum addresses to try after failed connections. */
  attempts: 3,
};
