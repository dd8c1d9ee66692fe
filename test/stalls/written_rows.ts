// Handwritten requests, because their worst form does not follow from a schema.

import { randomUUID } from 'node:crypto';
import { addressFormats, isCurveOfFormat } from '../../src/core/address/index.ts';
import { utf8 } from '../../src/core/base/bytes.ts';
import type { CurveName } from '../../src/core/base/enums.ts';
import { namesOf } from '../../src/core/base/table.ts';
import { activityOperations } from '../../src/operations/index.ts';
import {
  describedApp,
  describedSet,
  encryptKey,
} from '../operations/deployments/deployment_requests.ts';
import { vault, vaultDescription } from '../support/descriptions.ts';
import { stampOf, type TestService, testKey } from '../support/harness.ts';
import { makeVotedOften } from '../votes/many_votes.ts';
import { approveType, bodyOf } from '../votes/voting.ts';

export type Prepared = {
  /** Default: `submit`. */
  readonly kind?: 'query';
  readonly operation: string;
  readonly body: Uint8Array;
  readonly status: number;
};

const taproot = {
  curve: 'CURVE_SECP256K1',
  addressFormat: 'ADDRESS_FORMAT_BITCOIN_MAINNET_P2TR',
};

export type WrittenRow = {
  readonly name: string;
  readonly prepare: (service: TestService) => Promise<Prepared>;
};

const publicKeys = times(1000, (i) => testKey(`stalls ${i}`).publicKey);
const operators = times(50, (i) => `Operator ${i}`);
const maximumBodyBytes = 4 * 1024 * 1024;

export const writtenRows: readonly WrittenRow[] = [
  ...(
    [
      ['secp256k1', 'CURVE_SECP256K1', 'ADDRESS_FORMAT_ETHEREUM'],
      ['P-256', 'CURVE_P256', 'ADDRESS_FORMAT_COMPRESSED'],
      ['Ed25519', 'CURVE_ED25519', 'ADDRESS_FORMAT_SOLANA'],
      ['BIP-340, taproot', 'CURVE_SECP256K1', 'ADDRESS_FORMAT_BITCOIN_MAINNET_P2TR'],
    ] as const
  ).flatMap(([name, curve, format]): WrittenRow[] => [
    { name: `250 signatures, ${name}, private key`, prepare: signatures(curve, format, 250) },
    { name: `250 signatures, ${name}, account`, prepare: accountSignatures(curve, format, 250) },
  ]),
  ...(['HASH_FUNCTION_SHA256', 'HASH_FUNCTION_KECCAK256'] as const).map(
    (hashFunction): WrittenRow => ({
      name: `4 MiB of text, ${hashFunction}`,
      prepare: async (service) => {
        const payload = 'a'.repeat(maximumBodyBytes - 1024);
        return activity(
          service,
          'sign_raw_payload',
          await longText(service, payload, hashFunction),
        );
      },
    }),
  ),
  ...(
    [
      ['quotes', '"'],
      ['backslashes', '\\'],
    ] as const
  ).map(
    ([name, character]): WrittenRow => ({
      name: `4 MiB of ${name}, HASH_FUNCTION_SHA256`,
      prepare: async (service) => {
        const escaped = character.repeat(maximumBodyBytes / 2 - 1024);
        return activity(service, 'sign_raw_payload', await longText(service, escaped));
      },
    }),
  ),
  {
    name: 'an activity of 4 MiB of quotes that is read',
    prepare: async (service) => {
      const quotes = '"'.repeat(maximumBodyBytes / 2 - 1024);
      const sent = activity(service, 'sign_raw_payload', await longText(service, quotes));
      const headers = [stampOf(sent.body, service.root.key)];
      const { body } = await service.send('submit', sent.operation, sent.body, headers);
      const { organizationId } = service.root;
      const query = { organizationId, activityId: body.activity.id };
      const bytes = utf8(JSON.stringify(query));
      return { kind: 'query', operation: 'get_activity', body: bytes, status: 200 };
    },
  },
  {
    name: 'EIP-712 with 16,000 strings',
    prepare: typedData('string', (i) => `value ${i}`),
  },
  {
    name: 'EIP-712 with 16,000 strings, which waits for votes',
    prepare: async (service) => {
      const sent = await typedData('string', (i) => `value ${i}`)(service);
      await requireTwo(service);
      return sent;
    },
  },
  {
    name: 'EIP-712 with 3,000 integers, whose pairs ten policies compare',
    prepare: async (service) => {
      const values = "eth.eip_712.message['values']";
      const condition = `${values}.all(x, ${values}.contains(x))`;
      for (let i = 0; i < 10; i += 1) {
        const policy = { policyName: `Pairs ${i}`, effect: 'EFFECT_ALLOW', notes: '', condition };
        await resultOf(service, activity(service, 'create_policy', policy), 'createPolicyResult');
      }
      const sent = await typedData('uint256', (i) => i, 3_000)(service);
      await requireTwo(service);
      return sent;
    },
  },
  {
    name: 'a vote on an activity with 294 votes',
    prepare: async (service) => {
      // The root user gives the last vote.
      const { fingerprint } = await makeVotedOften(service);
      const body = bodyOf(service, approveType, { fingerprint });
      return { operation: 'approve_activity', body, status: 200 };
    },
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
    (curve): WrittenRow => ({
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
  {
    name: 'an ABI of 2,500 functions',
    prepare: async (service) =>
      activity(service, 'create_smart_contract_interface', {
        ...ofContract('SMART_CONTRACT_INTERFACE_TYPE_ETHEREUM'),
        smartContractInterface: JSON.stringify(
          times(2_500, (i) => ({
            type: 'function',
            name: `function${i}`,
            inputs: [
              { name: 'a', type: 'uint256[][]' },
              { name: 'b', type: 'bytes' },
            ],
          })),
        ),
      }),
  },
  {
    name: 'an IDL of 1,000 instructions that need 600 types',
    prepare: async (service) =>
      activity(service, 'create_smart_contract_interface', {
        ...ofContract(
          'SMART_CONTRACT_INTERFACE_TYPE_SOLANA',
          'Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo',
        ),
        smartContractInterface: JSON.stringify({
          instructions: times(1_000, (i) => ({
            name: `i${i}`,
            accounts: [],
            args: [{ name: 'a', type: { defined: 'T0' } }],
          })),
          // Twenty types with 500 fields each, and many types without fields.
          types: times(600, (i) => ({
            name: `T${i}`,
            type: {
              kind: 'struct',
              fields: i < 20 ? times(500, (j) => ({ defined: `T${j + 1 + i}` })) : [],
            },
          })),
        }),
      }),
  },
  {
    name: 'a description of 80 calls with 64 fields each',
    prepare: async (service) =>
      activity(service, 'create_smart_contract_interface', {
        ...ofContract('SMART_CONTRACT_INTERFACE_TYPE_ERC7730', vault),
        smartContractInterface: JSON.stringify(largestDescription()),
      }),
  },
  {
    name: 'an application with 100 new operators',
    prepare: async (service) =>
      activity(
        service,
        'create_tvc_app',
        describedApp({
          manifestSetParams: describedSet(operators, 50, 'Approvers'),
          shareSetParams: describedSet(
            operators.map((name) => `Holder ${name}`),
            50,
            'Holders',
          ),
        }),
      ),
  },
  {
    name: 'a quorum key of 50 operators',
    prepare: async (service) => {
      const app = describedApp({
        manifestSetParams: describedSet(operators, 50, 'Approvers'),
        shareSetParams: describedSet(operators.slice(0, 2), 2, 'Holders'),
      });
      await resultOf(service, activity(service, 'create_tvc_app', app), 'createTvcAppResult');
      return activity(service, 'create_tvc_quorum_key', {
        threshold: 50,
        operatorEncryptKeys: operators.map(encryptKey),
      });
    },
  },
  hostileBody('text', (size) => '\u20ac'.repeat(size / 3)),
  hostileBody('escapes', (size) => '\u0001'.repeat(size / 6)),
  hostileBody('20,000 names', (size) =>
    Object.fromEntries(times(9_900, (i) => [`${i}`.padEnd(size / 9_900 - 6, 'n'), 1])),
  ),
  hostileBody('20,000 values', () => times(19_900, (i) => i)),
];

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

async function longText(
  service: TestService,
  payload: string,
  hashFunction = 'HASH_FUNCTION_SHA256',
): Promise<object> {
  const signWith = await newAddress(service, 'CURVE_SECP256K1', 'ADDRESS_FORMAT_ETHEREUM');
  return { signWith, payload, hashFunction, encoding: 'PAYLOAD_ENCODING_TEXT_UTF8' };
}

function signatures(curve: CurveName, addressFormat: string, count: number): WrittenRow['prepare'] {
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

function accountSignatures(curve: CurveName, format: string, count: number): WrittenRow['prepare'] {
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

const ofContract = (type: string, smartContractAddress = `0x${'11'.repeat(20)}`) => ({
  type,
  smartContractAddress,
  label: 'Interface',
});

/** Returns a description of calls with many parameters and fields, with the maximum length. */
function largestDescription() {
  const fields = times(64, (i) => ({ path: 'a', label: `Field ${i}`, format: 'raw' }));
  const parameters = times(100, (i) => `int a${i}`).join(',');
  const formats = Object.fromEntries(
    times(80, (i) => [`call${i}(int a,${parameters})`, { intent: `Call ${i}`, fields }]),
  );
  return { ...vaultDescription, display: { formats } };
}

/** Makes every later request wait for the vote of a second user. */
async function requireTwo(service: TestService): Promise<void> {
  const second = {
    userName: 'Second',
    apiKeys: [{ apiKeyName: 'Key', publicKey: publicKeys[0], curveType: 'API_KEY_CURVE_P256' }],
    authenticators: [],
    oauthProviders: [],
    userTags: [],
  };
  const created = activity(service, 'create_users', { users: [second] });
  const { userIds } = await resultOf(service, created, 'createUsersResult');
  const quorum = { threshold: 2, userIds: [service.root.userId, ...userIds] };
  const updated = activity(service, 'update_root_quorum', quorum);
  await resultOf(service, updated, 'updateRootQuorumResult');
}

function typedData(
  type: string,
  item: (i: number) => unknown,
  count = 16_000,
): WrittenRow['prepare'] {
  return async (service) =>
    activity(service, 'sign_raw_payload', {
      signWith: await newAddress(service, 'CURVE_SECP256K1', 'ADDRESS_FORMAT_ETHEREUM'),
      payload: typedDataText(type, count, item),
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

/** Returns a body of the maximum size whose parameters are refused. */
function hostileBody(name: string, make: (bytes: number) => unknown): WrittenRow {
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
