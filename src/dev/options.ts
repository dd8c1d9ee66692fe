// The settings of `keywright dev`. It serves only this machine, from one folder.

import { join } from 'node:path';
import { nearestName } from '../core/base/edit_distance.ts';
import { isLoopbackHost } from '../gateway/messages/loopback.ts';
import {
  flagOf,
  readSettings,
  type Settings,
  SettingsError,
  settingsTable,
} from '../settings/settings.ts';

export type DevOptions = {
  readonly settings: Settings;
  /** True to delete the data of earlier starts first. */
  readonly fresh: boolean;
  /** False to omit the demo people, wallets and policies. */
  readonly demo: boolean;
  /** Optional. The file from which the seeds of the demo wallets derive. */
  readonly seedFile: string | undefined;
};

/** Flags of `keywright dev` besides those of `serve`, for its help. */
export const devFlags: readonly { readonly flag: string; readonly sentence: string }[] = [
  { flag: '--fresh, --reset', sentence: 'Deletes the data of earlier starts and starts again.' },
  { flag: '--no-demo', sentence: 'Makes no demo people, wallets, policies and approval.' },
  {
    flag: '--seed FILE',
    sentence: 'Derives the demo wallets from a file: the same file gives the same addresses.',
  },
];

const ownFlags = ['--fresh', '--reset', '--no-demo', '--seed'];
const settingsFlags = Object.values(settingsTable).map(({ variable }) => flagOf(variable));

const folder = '.keywright';

/**
 * Reads the flags of `keywright dev`, and passes all other flags to the settings of `serve`. Raises
 * SettingsError for invalid values, and for settings that development mode does not allow.
 */
export function readDevOptions(
  environment: Readonly<Record<string, string | undefined>>,
  flags: readonly string[],
): DevOptions {
  const rest: string[] = [];
  let fresh = false;
  let demo = true;
  let seedFile: string | undefined;
  for (let i = 0; i < flags.length; i += 1) {
    const flag = flags[i] ?? '';
    if (flag === '--fresh' || flag === '--reset') fresh = true;
    else if (flag === '--no-demo') demo = false;
    else if (flag === '--seed') {
      i += 1;
      seedFile = flags[i] ?? '';
    } else if (flag.startsWith('--seed=')) seedFile = flag.slice('--seed='.length);
    else {
      const meant = settingsFlags.includes(flag.split('=')[0] ?? '')
        ? undefined
        : nearestName(flag, ownFlags);
      if (meant !== undefined) {
        const complaint = `${flag}: unknown flag, the nearest known one is ${meant}`;
        throw new SettingsError([complaint], 'keywright dev --help');
      }
      rest.push(flag);
    }
  }
  if (seedFile === '') throw new SettingsError(['--seed: expected a file after it']);
  if (seedFile !== undefined && !demo) {
    throw new SettingsError(['--seed: the seed is for the demo, which --no-demo leaves out']);
  }
  const defaults = {
    KEYWRIGHT_DATA_DIR: folder,
    KEYWRIGHT_LOG_LEVEL: 'warn',
    KEYWRIGHT_ENCLAVES: '1',
  };
  const settings = readSettings({ ...defaults, ...environment }, rest);
  const complaints = refusals.flatMap(({ applies, sentence }) =>
    applies(settings) ? [sentence] : [],
  );
  if (complaints.length > 0) throw new SettingsError(complaints);
  const rootKeyFile = join(settings.dataDirectory, 'root.key');
  const own = { rootKeyFile, allowPrivateTargets: true };
  return { settings: { ...settings, ...own }, fresh, demo, seedFile };
}

const serveInstead = 'use keywright serve for that';

/** Settings that would expose the demo users to other machines, or that point outside of the folder. */
const refusals: readonly {
  readonly applies: (settings: Settings) => boolean;
  readonly sentence: string;
}[] = [
  {
    applies: ({ host }) => !isLoopbackHost(host),
    sentence: `KEYWRIGHT_HOST: keywright dev only listens on loopback, ${serveInstead}`,
  },
  {
    applies: ({ metricsHost, metricsPort }) =>
      metricsPort !== undefined && !isLoopbackHost(metricsHost),
    sentence: `KEYWRIGHT_METRICS_HOST: keywright dev only listens on loopback, ${serveInstead}`,
  },
  {
    applies: ({ publicUrl }) =>
      publicUrl !== undefined && !isLoopbackHost(URL.parse(publicUrl)?.hostname ?? ''),
    sentence: `KEYWRIGHT_PUBLIC_URL: keywright dev only serves this machine, ${serveInstead}`,
  },
  {
    applies: ({ trustedProxies }) => trustedProxies > 0,
    sentence: `KEYWRIGHT_TRUSTED_PROXIES: keywright dev serves no proxies, ${serveInstead}`,
  },
  {
    applies: ({ smtpUrl }) => smtpUrl !== undefined,
    sentence: `KEYWRIGHT_SMTP_URL: keywright dev stores e-mails in its inbox, ${serveInstead}`,
  },
  {
    applies: ({ databaseUrl }) => databaseUrl !== undefined,
    sentence: `KEYWRIGHT_DATABASE_URL: keywright dev stores its data in its folder, ${serveInstead}`,
  },
  {
    applies: ({ anchorFile }) => anchorFile !== undefined,
    sentence: `KEYWRIGHT_ANCHOR_FILE: keywright dev stores its anchor in its folder, ${serveInstead}`,
  },
  {
    applies: ({ rootKeyFile }) => rootKeyFile !== undefined,
    sentence: `KEYWRIGHT_ROOT_KEY_FILE: keywright dev stores its root key in its folder, ${serveInstead}`,
  },
  {
    applies: ({ rootKeyProvider }) => rootKeyProvider !== 'file',
    sentence: `KEYWRIGHT_ROOT_KEY_PROVIDER: keywright dev stores its root key in its folder, ${serveInstead}`,
  },
];
