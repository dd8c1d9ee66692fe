import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:https';
import { type TestContext, test } from 'node:test';
import { connect as connectSecure, type TLSSocket } from 'node:tls';
import { textOfUtf8 } from '../../../src/core/base/bytes.ts';
import { createConnect } from '../../../src/gateway/outbound/connection.ts';
import { createNameLookup } from '../../../src/gateway/outbound/name_lookup.ts';
import type { OutboundAnswer, OutboundFailure } from '../../../src/gateway/outbound/request.ts';
import { certificate, certificateKey } from './certificate.ts';
import { get, listening, outboundOf } from './loopback.ts';

type Sent = OutboundAnswer | OutboundFailure;

const outcomeOf = (sent: Sent): string | undefined =>
  'failure' in sent ? `${sent.failure}: ${sent.detail}` : textOfUtf8(sent.body);

/** Starts a TLS server that answers with the server name of the handshake. */
async function namingServer(t: TestContext, options: object = {}): Promise<number> {
  const server = createServer(
    { cert: certificate, key: certificateKey, ...options },
    (request, response) => {
      const { servername } = request.socket as TLSSocket & { servername?: string | false };
      response.end(`${servername || 'no name'} ${request.headers.host}`);
    },
  );
  server.on('tlsClientError', () => undefined);
  return listening(t, server);
}

const toLoopback = async (): Promise<string[]> => ['127.0.0.1'];

test('the certificate must match the name, which the handshake sends', async (t) => {
  const port = await namingServer(t);
  const connect = createConnect(certificate);
  const outbound = outboundOf(t, { allowPrivateTargets: true, connect, lookup: toLoopback });
  const send = async (host: string): Promise<string | undefined> =>
    outcomeOf(await outbound.send(get(`https://${host}:${port}/`)));
  assert.equal(await send('named.example'), `named.example named.example:${port}`);
  assert.equal(await send('127.0.0.1'), `no name 127.0.0.1:${port}`);
  assert.equal(await send('other.example'), 'network: ERR_TLS_CERT_ALTNAME_INVALID');
  // An open connection for one name is not used for the other.
  assert.equal(await send('other.example'), 'network: ERR_TLS_CERT_ALTNAME_INVALID');
});

test('a certificate without a known authority is refused', async (t) => {
  const port = await namingServer(t);
  const outbound = outboundOf(t, { allowPrivateTargets: true, lookup: toLoopback });
  const sent = await outbound.send(get(`https://named.example:${port}/`));
  assert.equal(outcomeOf(sent), 'network: DEPTH_ZERO_SELF_SIGNED_CERT');
});

test('versions of TLS before 1.2 are refused', async (t) => {
  const ciphers = 'DEFAULT@SECLEVEL=0';
  const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers } as const;
  const port = await namingServer(t, old);
  const connect = createConnect(certificate);
  const outbound = outboundOf(t, { allowPrivateTargets: true, connect, lookup: toLoopback });
  const outcome = outcomeOf(await outbound.send(get(`https://named.example:${port}/`)));
  assert.match(outcome ?? '', /^network: /);
  // The server accepts clients with an older version.
  const lenient = connectSecure({
    host: '127.0.0.1',
    port,
    servername: 'named.example',
    ca: certificate,
    ...old,
  });
  await once(lenient, 'secureConnect');
  assert.equal(lenient.getProtocol(), 'TLSv1.1');
  lenient.destroy();
});

test('only addresses are dialled', () => {
  const connect = createConnect();
  for (const address of ['localhost', 'example.com', '', '127.1']) {
    assert.throws(() => connect({ address, port: 1, isSecure: false, host: 'example.com' }));
  }
});

test('with private targets allowed, names are resolved by the machine', async () => {
  const addresses = await createNameLookup({ allowPrivateTargets: true })('localhost');
  assert.ok(addresses.length > 0);
  for (const address of addresses) assert.match(address, /^(127\.\d+\.\d+\.\d+|::1)$/);
});
