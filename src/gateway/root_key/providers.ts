// The table of root key providers, with one file each.

import { commandSource } from './command.ts';
import { descriptorSource } from './descriptor.ts';
import { fileSource } from './file.ts';
import { passphraseSource } from './passphrase.ts';
import { sharesSource } from './shares.ts';
import type { OpenSource, RootKeySource, SourcePorts, SourceSettings } from './source.ts';

export const providers = {
  file: fileSource,
  descriptor: descriptorSource,
  passphrase: passphraseSource,
  command: commandSource,
  shares: sharesSource,
} as const satisfies Record<SourceSettings['rootKeyProvider'], OpenSource>;

/** Opens the source in the settings. Raises UnusableDataError for incomplete settings. */
export function openRootKeySource(settings: SourceSettings, ports: SourcePorts): RootKeySource {
  return providers[settings.rootKeyProvider](settings, ports);
}
