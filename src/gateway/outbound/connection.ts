import { connect as connectPlain, isIP, type Socket } from 'node:net';
import { connect as connectSecure } from 'node:tls';
import { assert } from '../../core/errors/errors.ts';

/** A new connection, always to a checked address, never to a name. */
export type Dial = {
  readonly address: string;
  readonly port: number;
  readonly isSecure: boolean;
  /** The name (or address) that the certificate must have. */
  readonly host: string;
};

export type Connect = (dial: Dial) => Socket;

/**
 * Creates connections by TCP, or by TLS 1.2 and above with a certificate check for the host. `authorities`
 * are certificates (PEM) to trust instead of Node's own.
 */
export function createConnect(authorities?: string): Connect {
  return ({ address, port, isSecure, host }) => {
    assert(isIP(address) !== 0, 'what is dialled is an address');
    if (!isSecure) return connectPlain({ host: address, port, noDelay: true });
    return connectSecure({
      host: address,
      port,
      // RFC 6066 section 3 forbids an address as server name; the certificate is still checked for it.
      ...(isIP(host) === 0 ? { servername: host } : {}),
      minVersion: 'TLSv1.2',
      ALPNProtocols: ['http/1.1'],
      rejectUnauthorized: true,
      ...(authorities === undefined ? {} : { ca: authorities }),
    }).setNoDelay(true);
  };
}
