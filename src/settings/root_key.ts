// Settings of the root key provider; see docs/root-key.md.

import {
  choice,
  optionalCommand,
  optionalInteger,
  optionalNames,
  optionalText,
  toggle,
} from './kinds.ts';

export const rootKeySettings = {
  rootKeyProvider: choice({
    variable: 'KEYWRIGHT_ROOT_KEY_PROVIDER',
    fallback: 'file',
    choices: ['file', 'descriptor', 'passphrase', 'command', 'shares'],
    sentence: 'Where the root key comes from; see docs/root-key.md.',
  }),
  rootKeyFile: optionalText({
    variable: 'KEYWRIGHT_ROOT_KEY_FILE',
    absent:
      '`root.key` in the data directory, or the systemd credential `keywright.root-key` if there is one; with a passphrase `root.key.sealed`, with shares `root.key.shares`',
    sentence:
      'File of the root key, readable only by its owner: 32 raw bytes, a key sealed by a passphrase, or the identity of the sharing.',
  }),
  rootKeyDescriptor: optionalInteger({
    variable: 'KEYWRIGHT_ROOT_KEY_DESCRIPTOR',
    absent: 'none',
    minimum: 3,
    maximum: 1023,
    sentence:
      'Inherited file descriptor to read the root key from, with the provider `descriptor`.',
  }),
  rootKeyPassphraseFile: optionalText({
    variable: 'KEYWRIGHT_ROOT_KEY_PASSPHRASE_FILE',
    absent: 'a person types the passphrase',
    sentence: 'File of the passphrase, with the provider `passphrase`.',
  }),
  rootKeyPassphraseDescriptor: optionalInteger({
    variable: 'KEYWRIGHT_ROOT_KEY_PASSPHRASE_DESCRIPTOR',
    absent: 'a person types the passphrase',
    minimum: 3,
    maximum: 1023,
    sentence:
      'Inherited file descriptor to read the passphrase from, with the provider `passphrase`.',
  }),
  rootKeyCommand: optionalCommand({
    variable: 'KEYWRIGHT_ROOT_KEY_COMMAND',
    absent: 'none',
    sentence: 'Command that prints the root key, with the provider `command`; no shell runs it.',
  }),
  rootKeyNextCommand: optionalCommand({
    variable: 'KEYWRIGHT_ROOT_KEY_NEXT_COMMAND',
    absent: 'none',
    sentence:
      'Command that prints the next root key while the root key is rotated, with the provider `command`.',
  }),
  rootKeyCommandEncoding: choice({
    variable: 'KEYWRIGHT_ROOT_KEY_COMMAND_ENCODING',
    fallback: 'raw',
    choices: ['raw', 'hex', 'base64'],
    sentence: 'Form in which the command prints the 32 bytes of the root key.',
  }),
  rootKeyCommandEnvironment: optionalNames({
    variable: 'KEYWRIGHT_ROOT_KEY_COMMAND_ENVIRONMENT',
    absent: 'only `PATH`, `HOME` and `CREDENTIALS_DIRECTORY`',
    sentence: 'Further environment variables that the command receives.',
  }),
  enclaveSocket: optionalText({
    variable: 'KEYWRIGHT_ENCLAVE_SOCKET',
    absent: 'the service starts its enclaves itself',
    sentence:
      'Unix socket of `keywright enclave`, which runs the enclaves as another user. Only that process has the root key; see docs/deployment.md.',
  }),
  keyHolderSocket: optionalText({
    variable: 'KEYWRIGHT_KEY_HOLDER_SOCKET',
    absent: 'external keys cannot sign',
    sentence:
      'Unix socket of `keywright key-holder`, which signs with keys of hardware modules and key management services; see docs/external-keys.md.',
  }),
  rootKeyKeep: toggle({
    variable: 'KEYWRIGHT_ROOT_KEY_KEEP',
    fallback: false,
    sentence:
      'Keeps the root key in the memory of the gateway, so that a dead enclave is replaced without an operator.',
  }),
} as const;
