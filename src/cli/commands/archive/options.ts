import type { Settings } from '../../../settings/settings.ts';
import type { Option } from '../../command_line/command.ts';
import type { Terminal } from '../../terminal/terminal.ts';

/** Each option is also a setting of the service, see docs/configuration.md. */
export const archiveOptions = {
  'data-dir': { kind: 'text', value: 'DIR', summary: 'Data folder of the service: ./data.' },
  'database-url': { kind: 'text', value: 'URL', summary: 'PostgreSQL database of the service.' },
  'root-key-file': { kind: 'text', value: 'FILE', summary: 'File of the root key.' },
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
