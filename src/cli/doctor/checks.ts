// The checks of `doctor`, in the order in which they depend on each other.

import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Client } from '../../client/connect.ts';
import { readFileBounded } from '../files/files.ts';
import type { KeyFile } from '../keys/stored_key.ts';
import { pinnedKeysOf } from '../profiles/pins.ts';
import { isLoopback, type ResolvedLogin } from '../profiles/profiles.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { Exit } from '../words/failures.ts';
import { timeText } from '../words/times.ts';
import { type Probed, probe } from './probe.ts';

/** The result of a check. A warning does not change the exit code of `doctor`. */
export type CheckResult = {
  readonly state: 'ok' | 'warning' | 'failed';
  /** A sentence for people. */
  readonly says: string;
  /** The next step, for people. */
  readonly next?: string | undefined;
  /** Exit code of `doctor` if this check is the first that fails. */
  readonly exit?: Exit;
};

export type CheckContext = {
  readonly terminal: Terminal;
  readonly login: ResolvedLogin;
  readonly key: KeyFile;
  readonly client: Client;
  /** The first response of the service. */
  readonly probed: Probed;
};

type Check = {
  readonly name: string;
  readonly run: (context: CheckContext) => Promise<CheckResult>;
};

const ok = (says: string): CheckResult => ({ state: 'ok', says });
const warning = (says: string, next?: string): CheckResult => ({ state: 'warning', says, next });
const failed = (says: string, exit: Exit, next?: string): CheckResult => ({
  state: 'failed',
  says,
  exit,
  next,
});

/** Clock tolerance for stamped requests: how far their time may be ahead of the service, and behind it. */
const liveness = { aheadMs: 300_000, ageMs: 3_600_000 };
/** Larger clock offsets cause a warning. */
const tolerableOffsetMs = 5_000;
const soonMs = 3 * 86_400_000;
/** Allows one failed nightly backup. */
const oldBackupMs = 2 * 86_400_000;

/**
 * Checks that need a response of the service. They run after the profile, the key and the service were found.
 */
export const checks: readonly Check[] = [
  {
    name: 'Ready',
    run: async ({ login, terminal }) => {
      const { status, body } = await probe(login.url, '/health/ready', terminal);
      if (status === 200) return ok('The service is ready.');
      const reasons = JSON.stringify(body ?? {});
      if ((body as { readonly status?: unknown } | undefined)?.status === 'sealed') {
        return failed(
          `The service waits for its root key: ${reasons}`,
          'unreachable',
          'keywright unseal, on its machine; docs/root-key.md describes other providers.',
        );
      }
      return failed(`The service is not ready: ${reasons}`, 'unreachable', 'Look at its log.');
    },
  },
  {
    name: 'Transport',
    run: async ({ login }) => {
      if (login.url.startsWith('https:'))
        return ok('TLS, with a certificate that is trusted here.');
      if (isLoopback(login.url)) return ok('Plain HTTP on this machine.');
      return warning(
        'Plain HTTP to another machine: others can read requests and answers.',
        'Put a proxy with TLS before the service, see docs/deployment.md.',
      );
    },
  },
  {
    name: 'Clock',
    run: async ({ probed: { serviceMs, askedMs } }) => {
      if (serviceMs === undefined) return warning('The service reports no time.');
      // The `date` header has a resolution of one second.
      const offsetMs = askedMs - serviceMs;
      const seconds = Math.round(Math.abs(offsetMs) / 1000);
      const side = offsetMs > 0 ? 'ahead of' : 'behind';
      const says = `The clock of this machine is ${seconds} s ${side} the clock of the service.`;
      if (offsetMs > liveness.aheadMs || -offsetMs > liveness.ageMs) {
        return failed(says, 'refused', 'Set the clock: stamped requests are refused.');
      }
      return Math.abs(offsetMs) > tolerableOffsetMs
        ? warning(says, 'Set the clock.')
        : ok('The clocks of this machine and of the service agree.');
    },
  },
  {
    name: 'Credential',
    run: async ({ client, key, terminal }) => {
      const who = await client.query('whoami');
      const { apiKeys } = await client.query('get_api_keys', { userId: who.userId });
      const own = apiKeys.find(({ credential }) => credential.publicKey === key.apiPublicKey);
      const says = `${who.username} of ${who.organizationName}.`;
      if (own?.expirationSeconds === undefined) return ok(says);
      const endMs = Number(own.createdAt.seconds) * 1000 + Number(own.expirationSeconds) * 1000;
      const end = `${says} The key expires ${timeText({ seconds: endMs / 1000 })}.`;
      return endMs - terminal.clock() < soonMs ? warning(end, 'keywright login') : ok(end);
    },
  },
  {
    name: 'Service keys',
    run: async ({ login, terminal }) => {
      const pinned = await pinnedKeysOf(login, terminal);
      if (pinned === undefined) return ok('None pinned yet; the first export or import pins them.');
      const { body } = await probe(login.url, '/public/v1/discovery/keys', terminal);
      const { keys = [] } = (body ?? {}) as { keys?: readonly Readonly<Record<string, string>>[] };
      const published = new Set(keys.flatMap((row) => Object.values(row)));
      const gone = Object.entries(pinned).filter(([, key]) => !published.has(key));
      if (gone.length === 0) return ok('The pinned keys are those of the service.');
      return failed(
        `The service does not have these pinned keys: ${gone.map(([name]) => name).join(', ')}.`,
        'not_verified',
        'Ask its operator; compare with keywright keys, run where the root key is.',
      );
    },
  },
  {
    name: 'Backup',
    run: async ({ terminal, login }) => {
      const file = inDataFolder('last-backup.json', terminal);
      const bytes = await readFileBounded(file).catch(() => undefined);
      if (bytes === undefined) {
        if (!isLoopback(login.url)) return ok('The data folder is on another machine.');
        return warning('No backup is known here.', 'keywright backup --to DIR');
      }
      const createdAtMs = Number(JSON.parse(new TextDecoder().decode(bytes)).createdAtMs);
      const says = `The last checked backup was taken ${timeText({ seconds: createdAtMs / 1000 })}.`;
      const isOld = terminal.clock() - createdAtMs > oldBackupMs;
      return isOld ? warning(says, 'keywright backup --to DIR') : ok(says);
    },
  },
  {
    name: 'Root credentials',
    run: async ({ terminal }) => {
      const file = inDataFolder('root-credentials.json', terminal);
      const found = await stat(file).catch(() => undefined);
      if (found === undefined) return ok('The data folder contains no root credentials.');
      return warning(
        `${file} is in the folder of the service.`,
        'Keep a copy elsewhere, log in with a key of your own, and remove it.',
      );
    },
  },
];

/** Returns the path of a file in the data folder of a service on this machine. */
function inDataFolder(name: string, { workingDirectory, environment }: Terminal): string {
  return resolve(workingDirectory, environment['KEYWRIGHT_DATA_DIR'] ?? 'data', name);
}

/** Runs a check. An error becomes a failed result. */
export async function verdictOf(run: () => Promise<CheckResult>): Promise<CheckResult> {
  try {
    return await run();
  } catch (error) {
    const { failureOf, failureOfAnswer } = await import('../service/client_failures.ts');
    const failure = failureOf(error) ?? failureOfAnswer(error, false);
    if (failure === undefined) throw error;
    return failed(failure.message, failure.exit, failure.next);
  }
}
