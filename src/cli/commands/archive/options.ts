import type { Settings } from '../../../settings/settings.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { type Option, option } from '../../words/options.ts';

/** Each option is also a setting of the service, see docs/configuration.md. */
export const archiveOptions = {
  'data-dir': option('DIR', 'Data folder of the service. Default: ./data.'),
  'database-url': option('URL', 'PostgreSQL database of the service.'),
  'root-key-file': option('FILE', 'File of the root key.'),
} as const satisfies Readonly<Record<string, Option>>;

/** Returns the settings from the environment and these options. Throws `SettingsError`. */
export async function settingsOf(
  { environment }: Pick<Terminal, 'environment'>,
  options: Readonly<Partial<Record<keyof typeof archiveOptions, string | undefined>>>,
): Promise<Settings> {
  const { readSettings } = await import('../../../settings/settings.ts');
  const flags = (Object.keys(archiveOptions) as (keyof typeof archiveOptions)[]).flatMap((name) => {
    const value = options[name];
    return value === undefined ? [] : [`--${name}=${value}`];
  });
  return readSettings(environment, flags);
}
