// Environment variables of the commands that call a service. `serve` accepts and ignores them, so
// that one shell can hold both.

/** The variables of client commands, with their meaning. */
export const clientVariables = [
  {
    variable: 'KEYWRIGHT_URL',
    expected: 'an address like `https://keys.example`',
    sentence: 'Address of the service that commands call.',
  },
  {
    variable: 'KEYWRIGHT_ORGANIZATION_ID',
    expected: 'an organization id',
    sentence: 'Organization that commands act in.',
  },
  {
    variable: 'KEYWRIGHT_CREDENTIALS_FILE',
    expected: 'a path',
    sentence:
      'File of the API key that stamps the requests of commands, readable only by its owner.',
  },
  {
    variable: 'KEYWRIGHT_KEY_PASSPHRASE_FILE',
    expected: 'a path',
    sentence: 'File of the passphrase that seals that key, readable only by its owner.',
  },
  {
    variable: 'KEYWRIGHT_PROFILE',
    expected: 'a text',
    sentence: 'Profile that supplies the values that are not given.',
  },
] as const;
