// All commands. A command's file is loaded when the command runs, or when the help lists all commands.

import type { Command, UnnamedCommand } from './command_line/command.ts';
import { apiCommand } from './commands/api.ts';
import { operationNamed } from './words/operations.ts';

type Load = () => Promise<{ readonly default: UnnamedCommand }>;

const loaders: Readonly<Record<string, Load>> = {
  dev: () => import('./commands/dev.ts'),
  serve: () => import('./commands/serve.ts'),
  enclave: () => import('./commands/enclave.ts'),
  'key-holder': () => import('./commands/key_holder.ts'),
  backup: () => import('./commands/backup.ts'),
  restore: () => import('./commands/restore/restore.ts'),
  'restore accept': () => import('./commands/restore/accept.ts'),
  status: () => import('./commands/status.ts'),
  doctor: () => import('./commands/doctor.ts'),
  login: () => import('./commands/login.ts'),
  logout: () => import('./commands/logout.ts'),
  'profile list': () => import('./commands/profile/list.ts'),
  'profile use': () => import('./commands/profile/use.ts'),
  'profile remove': () => import('./commands/profile/remove.ts'),
  passphrase: () => import('./commands/passphrase.ts'),
  dashboard: () => import('./commands/dashboard/dashboard.ts'),
  'dashboard verify': () => import('./commands/dashboard/verify.ts'),
  archive: () => import('./commands/archive/archive.ts'),
  'archive verify': () => import('./commands/archive/verify.ts'),
  'archive import': () => import('./commands/archive/import.ts'),
  keys: () => import('./commands/keys.ts'),
  unseal: () => import('./commands/unseal/unseal.ts'),
  'unseal share': () => import('./commands/unseal/share.ts'),
  'root-key init': () => import('./commands/root_key/init.ts'),
  'root-key wrap': () => import('./commands/root_key/wrap.ts'),
  'root-key passkey': () => import('./commands/root_key/passkey.ts'),
  'root-key rewrap': () => import('./commands/root_key/rewrap.ts'),
  'root-key unwrap': () => import('./commands/root_key/unwrap.ts'),
  'root-key split': () => import('./commands/root_key/split.ts'),
  'root-key combine': () => import('./commands/root_key/combine.ts'),
  'root-key rotate': () => import('./commands/root_key/rotate.ts'),
  mcp: () => import('./commands/mcp.ts'),
  'eth-signer': () => import('./commands/eth_signer.ts'),
  'ssh-agent': () => import('./commands/ssh_agent.ts'),
  whoami: () => import('./commands/whoami.ts'),
  'user list': () => import('./commands/user/list.ts'),
  'user show': () => import('./commands/user/show.ts'),
  'user create': () => import('./commands/user/create.ts'),
  'user tag': () => import('./commands/user/tag.ts'),
  'user delete': () => import('./commands/user/delete.ts'),
  'user key list': () => import('./commands/user/key/list.ts'),
  'user key add': () => import('./commands/user/key/add.ts'),
  'user key remove': () => import('./commands/user/key/remove.ts'),
  'user passkey list': () => import('./commands/user/passkey/list.ts'),
  'user passkey remove': () => import('./commands/user/passkey/remove.ts'),
  'org show': () => import('./commands/org/show.ts'),
  'org list': () => import('./commands/org/list.ts'),
  'org create': () => import('./commands/org/create.ts'),
  'org rename': () => import('./commands/org/rename.ts'),
  'org delete': () => import('./commands/org/delete.ts'),
  'org seal': () => import('./commands/org/seal.ts'),
  'org unseal': () => import('./commands/org/unseal.ts'),
  'org key show': () => import('./commands/org/key/show.ts'),
  'org key create': () => import('./commands/org/key/create.ts'),
  'org holder add': () => import('./commands/org/holder/add.ts'),
  'org holder remove': () => import('./commands/org/holder/remove.ts'),
  'org quorum show': () => import('./commands/org/quorum/show.ts'),
  'org quorum set': () => import('./commands/org/quorum/set.ts'),
  'org feature list': () => import('./commands/org/feature/list.ts'),
  'org feature set': () => import('./commands/org/feature/set.ts'),
  'org feature remove': () => import('./commands/org/feature/remove.ts'),
  'wallet list': () => import('./commands/wallet/list.ts'),
  'wallet show': () => import('./commands/wallet/show.ts'),
  'wallet create': () => import('./commands/wallet/create.ts'),
  'wallet account list': () => import('./commands/wallet/account/list.ts'),
  'wallet account add': () => import('./commands/wallet/account/add.ts'),
  'wallet address': () => import('./commands/wallet/address.ts'),
  'wallet balances': () => import('./commands/wallet/balances.ts'),
  'wallet delete': () => import('./commands/wallet/delete.ts'),
  'key list': () => import('./commands/key/list.ts'),
  'key show': () => import('./commands/key/show.ts'),
  'key create': () => import('./commands/key/create.ts'),
  'key delete': () => import('./commands/key/delete.ts'),
  'secret list': () => import('./commands/secret/list.ts'),
  'secret show': () => import('./commands/secret/show.ts'),
  'secret delete': () => import('./commands/secret/delete.ts'),
  'export wallet': () => import('./commands/export/wallet.ts'),
  'export key': () => import('./commands/export/key.ts'),
  'export organization': () => import('./commands/export/organization.ts'),
  'export secret': () => import('./commands/export/secret.ts'),
  'import wallet': () => import('./commands/import/wallet.ts'),
  'import key': () => import('./commands/import/key.ts'),
  'import secret': () => import('./commands/import/secret.ts'),
  'sign message': () => import('./commands/sign/message.ts'),
  'sign typed-data': () => import('./commands/sign/typed_data.ts'),
  'sign payload': () => import('./commands/sign/payload.ts'),
  'sign transaction': () => import('./commands/sign/transaction.ts'),
  'verify message': () => import('./commands/verify/message.ts'),
  'verify proof': () => import('./commands/verify/proof.ts'),
  'verify receipt': () => import('./commands/verify/receipt.ts'),
  'verify evidence': () => import('./commands/verify/evidence.ts'),
  'verify webhook': () => import('./commands/verify/webhook.ts'),
  audit: () => import('./commands/audit.ts'),
  evidence: () => import('./commands/evidence.ts'),
  witness: () => import('./commands/witness.ts'),
  'activity list': () => import('./commands/activity/list.ts'),
  'activity show': () => import('./commands/activity/show.ts'),
  'activity explain': () => import('./commands/activity/explain.ts'),
  'activity watch': () => import('./commands/activity/watch.ts'),
  'activity approve': () => import('./commands/activity/approve.ts'),
  'activity reject': () => import('./commands/activity/reject.ts'),
  'policy list': () => import('./commands/policy/list.ts'),
  'policy show': () => import('./commands/policy/show.ts'),
  'policy create': () => import('./commands/policy/create.ts'),
  'policy edit': () => import('./commands/policy/edit.ts'),
  'policy delete': () => import('./commands/policy/delete.ts'),
  'policy check': () => import('./commands/policy/check.ts'),
  'policy explain': () => import('./commands/policy/explain.ts'),
  'policy map': () => import('./commands/policy/map.ts'),
  'policy simulate': () => import('./commands/policy/simulate.ts'),
  'policy pull': () => import('./commands/policy/pull.ts'),
  'policy diff': () => import('./commands/policy/diff.ts'),
  'policy apply': () => import('./commands/policy/apply.ts'),
  'policy test': () => import('./commands/policy/test.ts'),
  'address list': () => import('./commands/address/list.ts'),
  'address add': () => import('./commands/address/add.ts'),
  'address remove': () => import('./commands/address/remove.ts'),
  'address delete': () => import('./commands/address/delete.ts'),
  'webhook list': () => import('./commands/webhook/list.ts'),
  'webhook create': () => import('./commands/webhook/create.ts'),
  'webhook update': () => import('./commands/webhook/update.ts'),
  'webhook delete': () => import('./commands/webhook/delete.ts'),
  'webhook listen': () => import('./commands/webhook/listen.ts'),
  'webhook deliveries': () => import('./commands/webhook/deliveries.ts'),
  'webhook redeliver': () => import('./commands/webhook/redeliver.ts'),
  'webhook verify': () => import('./commands/webhook/verify.ts'),
  'webhook rotate-key': () => import('./commands/webhook/rotate_key.ts'),
  inbox: () => import('./commands/inbox.ts'),
  api: () => import('./commands/api.ts'),
  stamp: () => import('./commands/stamp.ts'),
  'migrate plan': () => import('./commands/migrate/plan.ts'),
  'migrate run': () => import('./commands/migrate/run.ts'),
  'migrate verify': () => import('./commands/migrate/verify.ts'),
  'migrate check': () => import('./commands/migrate/check.ts'),
  completion: () => import('./commands/completion.ts'),
  version: () => import('./commands/version.ts'),
};

/** The name of every command, in the order of the help. */
export const commandNames: readonly string[] = Object.keys(loaders);

/** Finds the command and the words after its name. Returns undefined if no command matches. */
export async function findCommand(
  words: readonly string[],
): Promise<{ readonly command: Command; readonly rest: readonly string[] } | undefined> {
  const [first = '', second = ''] = words;
  if (first === '--version') return { command: await load('version'), rest: words.slice(1) };
  const operation = first === 'api' ? await operationNamed(second) : undefined;
  if (operation !== undefined) return { command: apiCommand(operation), rest: words.slice(2) };
  for (const length of [3, 2, 1]) {
    const name = words.slice(0, length).join(' ');
    if (words.length >= length && Object.hasOwn(loaders, name)) {
      return { command: await load(name), rest: words.slice(length) };
    }
  }
  return undefined;
}

export async function loadAll(): Promise<readonly Command[]> {
  return Promise.all(commandNames.map(load));
}

async function load(name: string): Promise<Command> {
  const loader = loaders[name];
  if (loader === undefined) throw new Error(`no command ${name}`);
  return { ...(await loader()).default, words: name.split(' ') };
}
