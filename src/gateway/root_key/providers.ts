// The table of providers: who keeps the root key, and how the service gets it. One file each.

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

/** Opens the source that the settings choose. Raises UnusableDataError for settings that miss a part. */
export function openRootKeySource(settings: SourceSettings, ports: SourcePorts): RootKeySource {
  return providers[settings.rootKeyProvider](settings, ports);
}
