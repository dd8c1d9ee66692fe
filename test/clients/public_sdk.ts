// The tests of the API family's public SDK, unmodified, against a service: npm run clients -- --sdk DIR
// DIR is a checkout with its packages installed and built (`pnpm install`, `pnpm build-all`).
// With --packages viem,spark it runs only the tests of these packages.

import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startAnvil } from '../e2e/anvil.ts';
import {
  type ApiKeyPair,
  accountParameters,
  createWallet,
  newApiKey,
  serverClient,
} from '../e2e/clients.ts';
import { type RunningService, temporaryDirectory } from '../e2e/service.ts';

export type Outcome = 'passed' | 'failed' | 'skipped';

type Report = {
  readonly numPassedTests: number;
  readonly numPendingTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly message: string;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
};

/** Packages whose tests cannot run against another service, with the reason. */
const unfit: Readonly<Record<string, string>> = {
  solana: 'its tests name the address, organization and account of the hosted service',
};

/** Tests that fail by design: the package, the end of their titles, and the reason. */
const differences: readonly (readonly [name: string, title: RegExp, reason: string])[] = [
  [
    'ethers',
    /deny policy on the transaction$/,
    'the refusal lists the policies that denied the transaction, and the test expects an empty list',
  ],
  [
    'viem',
    /deny policy on the transaction$/,
    'the refusal lists the policies that denied the transaction, and the test expects an empty list',
  ],
  [
    'sdk-server',
    /^requests (are stamped after|return grpc status details)/,
    'the tests replace cross-fetch, but the client calls the fetch of Node, without a service',
  ],
];

/** The port of the node that the tests use. */
const nodePort = 8545;
/** An address without an owner. A policy denies payments to it. */
const bannedAddress = '0x6f72eDdfEd1c6DBBFa0fA8cE7a3A1C5c1C6d7bD1';
/** The public keys of the wallets in the tests of the wallet stamper. */
const walletKeys = {
  API_KEY_CURVE_ED25519: '54dbf3006616c1afaec1ebceaa22a488b1856bfc7b0453a53fb097dd69fa64e5',
  API_KEY_CURVE_SECP256K1: '038318535b54105d4a7aae60c08fc45f9687181b4fdfc625bd1a753fa7397fed75',
} as const;
const longestPackageMs = 600_000;
/** On a busy machine some tests exceed Jest's limit of five seconds. */
const longestTestMs = 60_000;

/** Runs the tests of each package in a checkout, and prints a line for each package and failed test. */
export async function examinePublicSdk(
  service: RunningService,
  of: { readonly checkout: string; readonly packages: readonly string[] | undefined },
  say: (line: string) => void,
): Promise<Outcome[]> {
  const { checkout, packages } = of;
  const jest = join(checkout, 'node_modules/jest/bin/jest.js');
  if (!existsSync(jest)) throw new Error(`expected a checkout with its packages, found no ${jest}`);
  const environment = {
    ...(await environmentOf(service)),
    // By this path the programs of pnpm find the presets of Babel.
    NODE_PATH: join(checkout, 'node_modules/.pnpm/node_modules'),
  };
  const anvil = await startAnvil({ port: nodePort, mines: true });
  const outcomes: Outcome[] = [];
  for (const name of readdirSync(join(checkout, 'packages')).toSorted()) {
    const folder = join(checkout, 'packages', name);
    if (packages !== undefined && !packages.includes(name)) continue;
    if (!existsSync(join(folder, 'src/__tests__'))) continue;
    const reason = unfit[name];
    if (reason === undefined) outcomes.push(await testPackage(folder));
    else {
      say(`skipped ${name}: ${reason}`);
      outcomes.push('skipped');
    }
  }
  anvil.stop();
  return outcomes;

  async function testPackage(folder: string): Promise<Outcome> {
    const name = folder.slice(folder.lastIndexOf('/') + 1);
    const file = join(temporaryDirectory(), 'report.json');
    const { scripts } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const flag = '--experimental-vm-modules';
    // One package has tests without a script that runs them.
    const flags = scripts.test?.includes(flag) === true ? [flag] : [];
    const options = ['--ci', '--json', `--outputFile=${file}`, `--testTimeout=${longestTestMs}`];
    const words = [...flags, jest, ...options];
    const output = await run(words, folder, environment);
    if (!existsSync(file)) {
      say(`failed ${name}: it wrote no report\n${output}`);
      return 'failed';
    }
    const report: Report = JSON.parse(readFileSync(file, 'utf8'));
    const failed = report.testResults.flatMap(({ assertionResults, message, name: path }) => {
      const titles = assertionResults.filter(({ status }) => status === 'failed');
      // A file that cannot be loaded has a message and no tests.
      if (assertionResults.length === 0 && message !== '') return [`${path}: ${message}`];
      return titles.map(({ fullName }) => fullName);
    });
    const reasonOf = (title: string) =>
      differences.find(([of, pattern]) => of === name && pattern.test(title))?.[2];
    const differing = failed.filter((title) => reasonOf(title) !== undefined);
    const outcome = failed.length === differing.length ? 'passed' : 'failed';
    const counts = [
      `${report.numPassedTests} passed`,
      `${failed.length - differing.length} failed`,
      `${differing.length} known to differ`,
      `${report.numPendingTests} skipped`,
    ].join(', ');
    const lines = failed.map((title) => `  ${title}: ${reasonOf(title) ?? 'failed'}`);
    say([`${outcome} ${name}: tests: ${counts}`, ...lines].join('\n'));
    return outcome;
  }
}

/**
 * Creates the keys, accounts and policies that the tests expect. Returns the environment variables that
 * name them.
 */
async function environmentOf(service: RunningService): Promise<Readonly<Record<string, string>>> {
  const client = serverClient(service);
  const key = newApiKey();
  await createTester(service, key);
  const second = { ...accountParameters.ethereum, path: "m/44'/60'/1'/0/0" } as const;
  const wallet = await createWallet(service, 'Public SDK', [accountParameters.ethereum, second]);
  const { privateKeys } = await client.createPrivateKeys({
    privateKeys: ['first', 'second'].map((privateKeyName) => ({
      privateKeyName,
      curve: 'CURVE_SECP256K1',
      addressFormats: ['ADDRESS_FORMAT_ETHEREUM'],
      privateKeyTags: [],
    })),
  });
  const addressOf = (at: number) => privateKeys[at]?.addresses?.[0]?.address ?? '';
  return {
    NODE_ENV: 'development',
    BASE_URL: service.baseUrl,
    ORGANIZATION_ID: service.credentials.organizationId,
    API_PUBLIC_KEY: key.apiPublicKey,
    API_PRIVATE_KEY: key.apiPrivateKey,
    WALLET_ID: wallet.walletId,
    EXPECTED_WALLET_ACCOUNT_ETH_ADDRESS: wallet.addresses[0] ?? '',
    EXPECTED_WALLET_ACCOUNT_ETH_ADDRESS_2: wallet.addresses[1] ?? '',
    PRIVATE_KEY_ID: privateKeys[0]?.privateKeyId ?? '',
    EXPECTED_PRIVATE_KEY_ETH_ADDRESS: addressOf(0),
    EXPECTED_PRIVATE_KEY_ETH_ADDRESS_2: addressOf(1),
    BANNED_TO_ADDRESS: bannedAddress,
    // These tests need the network of Spark and coins on it.
    DISABLE_SPARK_E2E_TESTS: 'true',
  };
}

/** Creates a user who may do everything except pay one account. Root users would bypass every policy. */
async function createTester(service: RunningService, key: ApiKeyPair): Promise<void> {
  const client = serverClient(service);
  const { userIds } = await client.createUsers({
    users: [
      {
        userName: 'Tests of the public SDK',
        apiKeys: [
          { apiKeyName: 'P-256', curveType: 'API_KEY_CURVE_P256', publicKey: key.apiPublicKey },
          ...Object.entries(walletKeys).map(([curve, publicKey]) => ({
            apiKeyName: curve,
            curveType: curve as keyof typeof walletKeys,
            publicKey,
          })),
        ],
        authenticators: [],
        oauthProviders: [],
        userTags: [],
      },
    ],
  });
  await client.createPolicies({
    policies: [
      {
        policyName: 'The tests of the public SDK may do everything',
        effect: 'EFFECT_ALLOW',
        consensus: `approvers.any(user, user.id == '${userIds[0]}')`,
        notes: '',
      },
      {
        policyName: 'They may not pay one account',
        effect: 'EFFECT_DENY',
        condition: `eth.tx.to == '${bannedAddress.toLowerCase()}'`,
        notes: '',
      },
    ],
  });
}

/** Runs Node. Resolves with all its output, whatever the exit code. */
function run(
  words: readonly string[],
  cwd: string,
  environment: Readonly<Record<string, string>>,
): Promise<string> {
  const options = { cwd, env: { ...process.env, ...environment }, timeout: longestPackageMs };
  return new Promise((resolve) => {
    execFile(process.execPath, words, { ...options, maxBuffer: 64 * 1024 * 1024 }, (_, out, err) =>
      resolve(`${out}${err}`),
    );
  });
}
