// Settings of commands that access the data directly.

import { join } from 'node:path';
import type { CustodySettings } from '../../gateway/custody/backup.ts';
import { remoteEnclaves } from '../../gateway/enclave/enclave_socket.ts';
import { readRootKeyOnce } from '../../gateway/root_key/read_once.ts';
import { readSettings, type Settings } from '../../settings/settings.ts';
import { UnusableDataError } from '../../store/unusable_data_error.ts';
import { dataOptions } from '../command_line/data_options.ts';
import type { Terminal } from '../terminal/terminal.ts';

type DataOptions = Readonly<Partial<Record<keyof typeof dataOptions, string | undefined>>>;

/** Returns the settings from the environment and these options. Throws `SettingsError`. */
export function settingsOfData(terminal: Terminal, options: DataOptions): Settings {
  const flags = Object.keys(dataOptions).flatMap((name) => {
    const value = options[name as keyof typeof dataOptions];
    return value === undefined ? [] : [`--${name}=${value}`];
  });
  return readSettings(terminal.environment, flags);
}

/** Returns the settings of custody commands. Throws `SettingsError`. */
export function dataSettings(terminal: Terminal, options: DataOptions): CustodySettings {
  const settings = settingsOfData(terminal, options);
  const { dataDirectory, databaseUrl, anchorFile, rootKeyFile, enclaveSocket } = settings;
  const keyFile = rootKeyFile ?? join(dataDirectory, 'root.key');
  const places = { dataDirectory, databaseUrl, anchorFile, rootKeyFile: keyFile };
  if (enclaveSocket === undefined) {
    return { ...places, readRootKey: () => readRootKeyOnce(settings, terminal) };
  }
  const { source, launch } = remoteEnclaves(enclaveSocket);
  const { signal } = terminal;
  const waiting = (reason: string) => {
    throw new UnusableDataError(reason);
  };
  const readRootKey = async () =>
    (await source.read({ mayCreate: false, waiting, signal })).rootKey;
  return { ...places, readRootKey, launchEnclave: launch };
}
