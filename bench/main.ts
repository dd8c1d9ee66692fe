// Measures the real service against what it cannot do without, in one run: npm run bench.
// Numbers depend on the machine; read the ratios.

import { createPrivateKey, type KeyObject, sign } from 'node:crypto';
import { base64url, bytesOfHex, utf8 } from '../src/core/bytes.ts';
import { type Floors, measureFloors, sumOfFloors } from './floors.ts';
import { httpRequest, type LoadResult, load } from './load.ts';
import { type BenchService, type Credentials, startService } from './service.ts';

const signatureCount = Number(process.env['BENCH_REQUESTS'] ?? 6000);

const floors = await measureFloors();
printFloors(floors);
const service = await startService();
try {
  await measure(service, floors);
} finally {
  await service.stop();
}

async function measure(bench: BenchService, floor: Floors): Promise<void> {
  const stamp = stamper(bench.credentials);
  const idle = bench.residentMiB();
  print(
    `\nready after ${bench.readyMs.toFixed(0)} ms; idle ${total(idle).toFixed(0)} MiB resident`,
  );
  print(`  (gateway ${idle.gateway.toFixed(0)}, enclave ${idle.enclave.toFixed(0)})\n`);

  const address = await createWallet(bench, stamp);
  const payloads = serial();
  const signRequest = () =>
    stamp.submit('sign_raw_payload', 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2', {
      signWith: address,
      payload: payloads(),
      encoding: 'PAYLOAD_ENCODING_HEXADECIMAL',
      hashFunction: 'HASH_FUNCTION_KECCAK256',
    });
  await load(bench.port, 32, make(2000, signRequest));

  print('sign_raw_payload, durable, secp256k1 with a P-256 stamp');
  print(
    'connections  per second   p50 ms   p99 ms   CPU µs/request (gateway + enclave)   of floors',
  );
  for (const connections of [1, 8, 32, 128]) {
    const count = connections === 1 ? Math.ceil(signatureCount / 4) : signatureCount;
    await report(bench, connections, make(count, signRequest), sumOfFloors(floor));
  }

  print('\nsign_raw_payloads of 100');
  const batches = make(40, () =>
    stamp.submit('sign_raw_payloads', 'ACTIVITY_TYPE_SIGN_RAW_PAYLOADS', {
      signWith: address,
      payloads: Array.from({ length: 100 }, payloads),
      encoding: 'PAYLOAD_ENCODING_HEXADECIMAL',
      hashFunction: 'HASH_FUNCTION_KECCAK256',
    }),
  );
  const batched = await load(bench.port, 8, batches);
  const perSecond = batched.perSecond * 100;
  const share = (perSecond * floor.signMicroseconds) / 1e6;
  print(`  ${perSecond.toFixed(0)} signatures/s, ${share.toFixed(2)} of one core's signing rate`);
  expectAllAnswered(batched);

  print('\nstamped whoami');
  const queries = make(signatureCount, () => stamp.query('whoami', {}));
  const queried = await load(bench.port, 32, queries);
  expectAllAnswered(queried);
  const queryFloor = floor.verifyMicroseconds + floor.httpMicroseconds;
  print(`  ${queried.perSecond.toFixed(0)} queries/s, p50 ${queried.p50Ms.toFixed(2)} ms`);
  print(`  floor of verify + HTTP: ${(1e6 / queryFloor).toFixed(0)}/s on one core`);
  print(`\nresident after the load: ${total(bench.residentMiB()).toFixed(0)} MiB`);
}

async function report(
  bench: BenchService,
  connections: number,
  requests: readonly Buffer[],
  floorMicroseconds: number,
): Promise<void> {
  const before = bench.cpuSeconds();
  const result = await load(bench.port, connections, requests);
  const after = bench.cpuSeconds();
  expectAllAnswered(result);
  const gateway = ((after.gateway - before.gateway) * 1e6) / result.requests;
  const enclave = ((after.enclave - before.enclave) * 1e6) / result.requests;
  print(
    [
      String(connections).padStart(11),
      result.perSecond.toFixed(0).padStart(12),
      result.p50Ms.toFixed(2).padStart(9),
      result.p99Ms.toFixed(2).padStart(9),
      `${gateway.toFixed(0)} + ${enclave.toFixed(0)} = ${(gateway + enclave).toFixed(0)}`.padStart(
        37,
      ),
      `${((gateway + enclave) / floorMicroseconds).toFixed(2)} ×`.padStart(11),
    ].join(''),
  );
}

type Stamper = {
  submit(operation: string, type: string, parameters: object): Buffer;
  query(operation: string, body: object): Buffer;
};

/** Stamps requests; the time of each is a millisecond before the last, so that no two are equal. */
function stamper({ organizationId, apiPublicKey, apiPrivateKey }: Credentials): Stamper {
  const key = privateKeyOf(apiPrivateKey, apiPublicKey);
  let timestampMs = Date.now();
  const stamped = (path: string, value: object): Buffer => {
    const body = utf8(JSON.stringify(value));
    const stamp = {
      publicKey: apiPublicKey,
      scheme: 'SIGNATURE_SCHEME_TK_API_P256',
      signature: sign('sha256', body, key).toString('hex'),
    };
    return httpRequest(path, [`X-Stamp: ${base64url(utf8(JSON.stringify(stamp)))}`], body);
  };
  return {
    submit: (operation, type, parameters) => {
      timestampMs -= 1;
      return stamped(`/public/v1/submit/${operation}`, {
        type,
        timestampMs: String(timestampMs),
        organizationId,
        parameters,
      });
    },
    query: (operation, body) =>
      stamped(`/public/v1/query/${operation}`, { organizationId, ...body }),
  };
}

function privateKeyOf(privateKeyHex: string, publicKeyHex: string): KeyObject {
  const raw = bytesOfHex(privateKeyHex);
  if (raw === undefined) throw new Error(`not a private key for ${publicKeyHex}`);
  // SEC 1 private key of P-256 in DER, without the optional public key.
  const prefix = Buffer.from('30310201010420', 'hex');
  const curve = Buffer.from('a00a06082a8648ce3d030107', 'hex');
  return createPrivateKey({
    key: Buffer.concat([prefix, raw, curve]),
    format: 'der',
    type: 'sec1',
  });
}

async function createWallet(bench: BenchService, stamp: Stamper): Promise<string> {
  const request = stamp.submit('create_wallet', 'ACTIVITY_TYPE_CREATE_WALLET', {
    walletName: 'bench',
    accounts: [
      {
        curve: 'CURVE_SECP256K1',
        pathFormat: 'PATH_FORMAT_BIP32',
        path: "m/44'/60'/0'/0/0",
        addressFormat: 'ADDRESS_FORMAT_ETHEREUM',
      },
    ],
  });
  const text = request.toString('latin1');
  const [, path = ''] = /^POST (\S+)/.exec(text) ?? [];
  const [, header = ''] = /X-Stamp: (\S+)/.exec(text) ?? [];
  const answer = await fetch(`http://127.0.0.1:${bench.port}${path}`, {
    method: 'POST',
    headers: { 'X-Stamp': header },
    body: text.slice(text.indexOf('\r\n\r\n') + 4),
  });
  const { activity } = (await answer.json()) as {
    activity: { result: { createWalletResult: { addresses: string[] } } };
  };
  const [address] = activity.result.createWalletResult.addresses;
  if (address === undefined) throw new Error('no address');
  return address;
}

function expectAllAnswered({ refused }: LoadResult): void {
  if (refused.size > 0) throw new Error(`refused: ${JSON.stringify([...refused])}`);
}

function printFloors(floor: Floors): void {
  print('floors, one core, µs');
  print(`  P-256 verify          ${floor.verifyMicroseconds.toFixed(1)}`);
  print(`  secp256k1 sign        ${floor.signMicroseconds.toFixed(1)}`);
  print(`  AES-256-GCM unwrap    ${floor.unwrapMicroseconds.toFixed(1)}`);
  print(`  HTTP round trip       ${floor.httpMicroseconds.toFixed(1)}  (server side)`);
  print(`  stored row            ${floor.rowMicroseconds.toFixed(1)}  (3 kB, 32 a transaction)`);
  print(`  fsync                 ${floor.fsyncMicroseconds.toFixed(1)}  (8 kB, waiting, not CPU)`);
  print(`  sum without fsync     ${sumOfFloors(floor).toFixed(1)}`);
}

function serial(): () => string {
  let last = 0;
  return () => {
    last += 1;
    return last.toString(16).padStart(64, '0');
  };
}

function make(count: number, request: () => Buffer): Buffer[] {
  return Array.from({ length: count }, request);
}

function total({ gateway, enclave }: { gateway: number; enclave: number }): number {
  return gateway + enclave;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
