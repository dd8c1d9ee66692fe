// The longest time for which one request keeps all others waiting: node bench/stalls.ts. Each of the worst
// requests goes through a whole enclave in this process, which gives turns as in its own, on a database in
// memory. Shown is the most work between two turns of the event loop while it was answered, in processor
// time so that a busy machine shows the same, the best of a few runs.

import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { addressFormats, isCurveOfFormat } from '../src/core/address/index.ts';
import { utf8 } from '../src/core/base/bytes.ts';
import type { CurveName } from '../src/core/base/enums.ts';
import { namesOf } from '../src/core/base/table.ts';
import { createFairTurns, eventLoop } from '../src/enclave/turns/fair_turns.ts';
import { activityOperations } from '../src/operations/index.ts';
import { stampOf, startTestService, type TestService, testKey } from '../test/support/harness.ts';

type Prepared = {
  readonly operation: string;
  readonly body: Uint8Array;
  readonly status: number;
};

const taproot = {
  curve: 'CURVE_SECP256K1',
  addressFormat: 'ADDRESS_FORMAT_BITCOIN_MAINNET_P2TR',
};

type Row = {
  readonly name: string;
  readonly prepare: (service: TestService) => Promise<Prepared>;
};

const { values } = parseArgs({
  options: { runs: { type: 'string', default: '5' }, only: { type: 'string', default: '' } },
});

const publicKeys = times(1000, (i) => testKey(`stalls ${i}`).publicKey);
const maximumBodyBytes = 4 * 1024 * 1024;

const rows: readonly Row[] = [
  ...(
    [
      ['secp256k1', 'CURVE_SECP256K1', 'ADDRESS_FORMAT_ETHEREUM'],
      ['P-256', 'CURVE_P256', 'ADDRESS_FORMAT_COMPRESSED'],
      ['Ed25519', 'CURVE_ED25519', 'ADDRESS_FORMAT_SOLANA'],
      ['BIP-340, taproot', 'CURVE_SECP256K1', 'ADDRESS_FORMAT_BITCOIN_MAINNET_P2TR'],
    ] as const
  ).flatMap(([name, curve, format]): Row[] => [
    { name: `250 signatures, ${name}, private key`, prepare: signatures(curve, format, 250) },
    { name: `250 signatures, ${name}, account`, prepare: accountSignatures(curve, format, 250) },
  ]),
  ...(['HASH_FUNCTION_SHA256', 'HASH_FUNCTION_KECCAK256'] as const).map(
    (hashFunction): Row => ({
      name: `4 MiB of text, ${hashFunction}`,
      prepare: async (service) => {
        const signWith = await newAddress(service, 'CURVE_SECP256K1', 'ADDRESS_FORMAT_ETHEREUM');
        const payload = 'a'.repeat(maximumBodyBytes - 1024);
        return activity(service, 'sign_raw_payload', {
          signWith,
          payload,
          hashFunction,
          encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
        });
      },
    }),
  ),
  {
    name: 'EIP-712 with 16,000 strings',
    prepare: typedData('string', (i) => `value ${i}`),
  },
  {
    name: 'EIP-712 with 16,000 integers',
    prepare: typedData('uint256', (i) => String(10n ** 60n + BigInt(i))),
  },
  {
    name: '250 times EIP-712 with 8,000 integers, refused',
    prepare: async (service) => {
      const signWith = await newAddress(service, 'CURVE_SECP256K1', 'ADDRESS_FORMAT_ETHEREUM');
      const payload = typedDataText('uint8', 8_000, () => 1);
      return activity(
        service,
        'sign_raw_payloads',
        {
          signWith,
          payloads: times(250, () => payload),
          encoding: 'PAYLOAD_ENCODING_EIP712',
          hashFunction: 'HASH_FUNCTION_NO_OP',
        },
        400,
      );
    },
  },
  ...(['CURVE_SECP256K1', 'CURVE_ED25519', 'CURVE_P256'] as const).map(
    (curve): Row => ({
      name: `100 private keys of ${curve} with every address format`,
      prepare: async (service) =>
        activity(service, 'create_private_keys', {
          privateKeys: times(100, (i) => ({
            privateKeyName: `Key ${i}`,
            curve,
            privateKeyTags: [],
            addressFormats: formatsOf(curve),
          })),
        }),
    }),
  ),
  {
    name: 'a wallet with 100 taproot accounts',
    prepare: async (service) =>
      activity(service, 'create_wallet', {
        walletName: 'Wallet of many accounts',
        accounts: times(100, (i) => accountOf(`m/86'/0'/0'/0/${i}`, taproot)),
      }),
  },
  {
    name: 'a wallet with 100 taproot accounts 16 levels deep',
    prepare: async (service) =>
      activity(service, 'create_wallet', {
        walletName: 'Wallet of deep accounts',
        accounts: times(100, (i) => accountOf(`m${`/${i}`.repeat(16)}`, taproot)),
      }),
  },
  {
    name: 'a sub-organization with 100 root users of 10 keys each',
    prepare: async (service) =>
      activity(service, 'create_sub_organization', {
        subOrganizationName: 'Child',
        rootQuorumThreshold: 1,
        rootUsers: times(100, (i) => ({
          userName: `User ${i}`,
          apiKeys: times(10, (j) => ({
            apiKeyName: `Key ${j}`,
            publicKey: publicKeys[10 * i + j],
            curveType: 'API_KEY_CURVE_P256',
          })),
          authenticators: [],
          oauthProviders: [],
        })),
      }),
  },
  {
    name: 'a sub-organization with 100 taproot accounts 16 levels deep',
    prepare: async (service) =>
      activity(service, 'create_sub_organization', {
        subOrganizationName: 'Child of deep accounts',
        rootQuorumThreshold: 1,
        rootUsers: [
          {
            userName: 'User',
            apiKeys: [
              {
                apiKeyName: 'Key',
                publicKey: publicKeys[0],
                curveType: 'API_KEY_CURVE_P256',
              },
            ],
            authenticators: [],
            oauthProviders: [],
          },
        ],
        wallet: {
          walletName: 'Wallet of deep accounts',
          accounts: times(100, (i) => accountOf(`m${`/${i}`.repeat(16)}`, taproot)),
        },
      }),
  },
  hostileBody('text', (size) => '\u20ac'.repeat(size / 3)),
  hostileBody('escapes', (size) => '\u0001'.repeat(size / 6)),
  hostileBody('20,000 names', (size) =>
    Object.fromEntries(times(9_900, (i) => [`${i}`.padEnd(size / 9_900 - 6, 'n'), 1])),
  ),
  hostileBody('20,000 values', () => times(19_900, (i) => i)),
];

print(`${'request'.padEnd(64)} longest stall ms   total ms`);
for (const { name, prepare } of rows.filter((row) => row.name.includes(values.only))) {
  const measured: Measured[] = [];
  for (let run = 0; run < Number(values.runs); run += 1) {
    const turns = createFairTurns({ ...eventLoop, clock: () => performance.now() });
    const service = await startTestService({ turns });
    measured.push(await measure(service, await prepare(service), name));
    service.close();
  }
  const best = measured.reduce((a, b) => (b.stallMs < a.stallMs ? b : a));
  print(`${name.padEnd(64)} ${column(best.stallMs, 16)} ${column(best.totalMs, 10)}`);
}

type Measured = { readonly stallMs: number; readonly totalMs: number };

async function measure(service: TestService, sent: Prepared, name: string): Promise<Measured> {
  const { operation, body } = sent;
  const headers = [stampOf(body, service.root.key)];
  const request = {
    requestId: name,
    kind: 'submit',
    timestampObjects: false,
    remoteAddress: '127.0.0.1',
  } as const;
  await turn();
  const start = workedMs();
  let [last, longest, isDone] = [start, 0, false];
  const watch = (): void => {
    const now = workedMs();
    longest = Math.max(longest, now - last);
    last = now;
    if (!isDone) setImmediate(watch);
  };
  setImmediate(watch);
  const { status, body: answer } = await service.enclave.request({
    ...request,
    operation,
    headers,
    body,
  });
  await turn();
  isDone = true;
  if (status !== sent.status) {
    throw new Error(`${name}: ${status} ${Buffer.from(answer).toString().slice(0, 300)}`);
  }
  return { stallMs: longest, totalMs: last - start };
}

/** Processor time of this thread. */
function workedMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function activity(
  service: TestService,
  operation: string,
  parameters: object,
  status = 200,
): Prepared {
  service.advance(1);
  const body = {
    type: activityOperations[operation]?.wire.type,
    timestampMs: String(service.now()),
    organizationId: service.root.organizationId,
    parameters,
  };
  return { operation, body: utf8(JSON.stringify(body)), status };
}

function signatures(curve: CurveName, addressFormat: string, count: number): Row['prepare'] {
  return async (service) => {
    const sent = activity(service, 'create_private_keys', {
      privateKeys: [
        { privateKeyName: 'Key', curve, privateKeyTags: [], addressFormats: [addressFormat] },
      ],
    });
    const { privateKeys } = await resultOf(service, sent, 'createPrivateKeysResultV2');
    return signing(service, curve, privateKeys[0].addresses[0].address, count);
  };
}

function accountSignatures(curve: CurveName, format: string, count: number): Row['prepare'] {
  return async (service) =>
    signing(service, curve, await newAddress(service, curve, format), count);
}

function signing(service: TestService, curve: CurveName, signWith: string, count: number) {
  const isWhole = curve === 'CURVE_ED25519';
  return activity(service, 'sign_raw_payloads', {
    signWith,
    payloads: times(count, (i) => i.toString(16).padStart(64, '0')),
    encoding: 'PAYLOAD_ENCODING_HEXADECIMAL',
    hashFunction: isWhole ? 'HASH_FUNCTION_NOT_APPLICABLE' : 'HASH_FUNCTION_NO_OP',
  });
}

async function newAddress(
  service: TestService,
  curve: CurveName,
  addressFormat: string,
): Promise<string> {
  const account = accountOf("m/44'/0'/0'/0'", { curve, addressFormat });
  const walletName = `Wallet ${randomUUID()}`;
  const sent = activity(service, 'create_wallet', { walletName, accounts: [account] });
  return (await resultOf(service, sent, 'createWalletResult')).addresses[0];
}

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into by path
async function resultOf(service: TestService, sent: Prepared, result: string): Promise<any> {
  const headers = [stampOf(sent.body, service.root.key)];
  const { body } = await service.send('submit', sent.operation, sent.body, headers);
  return body.activity.result[result];
}

function typedData(type: string, item: (i: number) => string): Row['prepare'] {
  return async (service) =>
    activity(service, 'sign_raw_payload', {
      signWith: await newAddress(service, 'CURVE_SECP256K1', 'ADDRESS_FORMAT_ETHEREUM'),
      payload: typedDataText(type, 16_000, item),
      encoding: 'PAYLOAD_ENCODING_EIP712',
      hashFunction: 'HASH_FUNCTION_NO_OP',
    });
}

function typedDataText(type: string, count: number, item: (i: number) => unknown): string {
  return JSON.stringify({
    types: { Message: [{ name: 'values', type: `${type}[]` }] },
    domain: { name: 'Bench' },
    primaryType: 'Message',
    message: { values: times(count, item) },
  });
}

/** A body of the largest size whose parameters are refused. */
function hostileBody(name: string, make: (bytes: number) => unknown): Row {
  return {
    name: `4 MiB, refused: ${name}`,
    prepare: async (service) =>
      activity(service, 'create_wallet', { unknown: make(maximumBodyBytes - 1024) }, 400),
  };
}

function accountOf(path: string, of: { readonly curve: string; readonly addressFormat: string }) {
  return { ...of, path, pathFormat: 'PATH_FORMAT_BIP32' };
}

function formatsOf(curve: CurveName): string[] {
  return namesOf(addressFormats).filter((format) => isCurveOfFormat(format, curve));
}

function times<Item>(count: number, make: (i: number) => Item): Item[] {
  return Array.from({ length: count }, (_, i) => make(i));
}

function column(milliseconds: number, width: number): string {
  return milliseconds.toFixed(1).padStart(width);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
