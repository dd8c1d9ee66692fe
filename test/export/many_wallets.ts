// Exports many wallets and recovers them. Compares the files of the recovery tool with the sentences and
// accounts that the service gives to clients.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createReadStream, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { generateIdentity, identityToRecipient } from 'age-encryption';
import { recoveryToolOf } from '../../tools/packages/recovery_tool.ts';
import { runIn } from '../cli/terminal.ts';
import { openedSentence, targetPublicKey } from '../operations/wallets/transfer_requests.ts';
import { ethereumAccount, solanaAccount } from '../operations/wallets/wallet_requests.ts';
import { type Sender, startTestService, testKey, testRootKey } from '../support/harness.ts';

const perOrganization = 100;
const accounts = [
  ethereumAccount(),
  solanaAccount(),
  { ...ethereumAccount(7), addressFormat: 'ADDRESS_FORMAT_BITCOIN_MAINNET_P2TR' },
];

export type RoundTrip = {
  readonly wallets: number;
  /** The number of wallets whose sentence and addresses were recovered unchanged. */
  readonly same: number;
  readonly exportMs: number;
  readonly recoverMs: number;
  /** The peak memory of the recovery tool, in MiB. */
  readonly recoverMiB: number;
};

/** Creates wallets in a new folder, exports their organization and recovers them. */
export async function roundTrip(folder: string, wallets: number): Promise<RoundTrip> {
  const file = (name: string) => join(folder, name);
  mkdirSync(file('data'), { mode: 0o700 });
  writeFileSync(file('data/root.key'), testRootKey(), { mode: 0o600 });
  const service = await startTestService({ databaseFile: file('data/keywright.sqlite') });
  const expected = new Map<string, string>();
  try {
    let child: Sender = {};
    for (let number = 0; number < wallets; number += 1) {
      if (number % perOrganization === 0) child = await addChild(service, number);
      const id = await addWallet(service, child, number);
      expected.set(...id);
    }
  } finally {
    await service.close();
  }
  const identity = await generateIdentity();
  writeFileSync(file('recipients.txt'), await identityToRecipient(identity));
  writeFileSync(file('identities.txt'), identity, { mode: 0o600 });
  writeFileSync(file('recover.mjs'), await recoveryToolOf(join(import.meta.dirname, '..', '..')));
  const { organizationId } = service.root;
  const began = performance.now();
  const exported = await runIn(folder, [
    ...['export', 'organization', organizationId, '--to', 'exit.age', '--sub-organizations'],
    ...['--recipients', 'recipients.txt', '--data-dir', file('data')],
  ]);
  assert.equal(exported.code, 0, exported.err);
  const recovering = performance.now();
  const memory = `process.on('exit', () => console.error(process.resourceUsage().maxRSS))`;
  const recovered = spawnSync(
    process.execPath,
    [
      ...['--import', `data:text/javascript,${encodeURIComponent(memory)}`, 'recover.mjs'],
      ...['--archive', 'exit.age', '--identities', 'identities.txt', '--to', 'out'],
    ],
    { cwd: folder, encoding: 'utf8' },
  );
  assert.equal(recovered.status, 0, recovered.stderr);
  const ended = performance.now();
  return {
    wallets,
    same: await countSame(file('out/keys.ndjson'), expected),
    exportMs: recovering - began,
    recoverMs: ended - recovering,
    recoverMiB: Number(recovered.stderr) / 1024,
  };
}

type Service = Awaited<ReturnType<typeof startTestService>>;

async function addChild(service: Service, number: number): Promise<Sender> {
  const key = testKey(`child ${number}`);
  const type = 'ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V7';
  const apiKey = {
    apiKeyName: 'k',
    publicKey: key.publicKey,
    curveType: 'API_KEY_CURVE_P256',
  };
  const { body } = await service.submit('create_sub_organization', type, {
    subOrganizationName: `Child ${number}`,
    rootQuorumThreshold: 1,
    rootUsers: [{ userName: 'Root', apiKeys: [apiKey], authenticators: [], oauthProviders: [] }],
  });
  const { subOrganizationId } = body.activity.result.createSubOrganizationResultV7;
  return { organizationId: subOrganizationId, key };
}

/** Creates a wallet. Returns its id, and its sentence and addresses from the service. */
async function addWallet(service: Service, as: Sender, number: number): Promise<[string, string]> {
  const made = await service.submit(
    'create_wallet',
    'ACTIVITY_TYPE_CREATE_WALLET',
    { walletName: `Wallet ${number}`, accounts },
    as,
  );
  const { walletId, addresses } = made.body.activity.result.createWalletResult;
  const type = 'ACTIVITY_TYPE_EXPORT_WALLET';
  const { body } = await service.submit('export_wallet', type, { walletId, targetPublicKey }, as);
  const { exportBundle } = body.activity.result.exportWalletResult;
  const sentence = await openedSentence(exportBundle, as.organizationId ?? '');
  return [walletId, JSON.stringify([sentence, addresses])];
}

async function countSame(keys: string, expected: ReadonlyMap<string, string>): Promise<number> {
  const found = new Map<string, [string, string[]]>();
  for await (const line of createInterface({ input: createReadStream(keys) })) {
    const { kind, id, walletId, mnemonic, address } = JSON.parse(line);
    if (kind === 'wallet') found.set(id, [mnemonic, []]);
    else found.get(walletId)?.[1].push(address);
  }
  const same = [...expected].filter(([id, text]) => JSON.stringify(found.get(id)) === text);
  return found.size === expected.size ? same.length : 0;
}
