// Explains failed requests in words.

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'no program listens there',
  ENOTFOUND: 'the name cannot be resolved',
  EAI_AGAIN: 'the name cannot be resolved now',
  ECONNRESET: 'the connection was cut',
  CERT_HAS_EXPIRED: 'the certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'the certificate is of an unknown authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the certificate is of an unknown authority',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another name',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not use TLS: use an http:// address',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'it does not use TLS: use an http:// address',
  HPE_INVALID_CONSTANT: 'it does not use plain HTTP: use an https:// address',
  UND_ERR_SOCKET: 'the connection was cut',
  UND_ERR_CONNECT_TIMEOUT: 'no answer in time',
  ETIMEDOUT: 'no answer in time',
  EHOSTUNREACH: 'there is no route to the host',
  ENETUNREACH: 'there is no route to the host',
};

/** Returns the reason of a failed fetch. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return 'no answer in time';
  const { cause } = error;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  return reasons[code] ?? (cause instanceof Error ? cause.message : error.message);
}
