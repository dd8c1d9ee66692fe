// Common mistakes at the command line, with the answers of the program. docs/cli.md shows them, and
// test/cli/mistakes.test.ts makes each one.

export type Mistake = {
  /** The mistake in the words of the page. */
  readonly mistake: string;
  readonly exit: number;
  /** The printed sentence; words in capitals are placeholders. */
  readonly says: string;
  /** The next step that the program prints below. */
  readonly next: string;
};

export const mistakes = {
  missingKeyFile: {
    mistake: 'a key file that is not there',
    exit: 2,
    says: 'cannot read FILE: the file does not exist',
    next: 'Name a file that you may read; here it means PATH.',
  },
  openKeyFile: {
    mistake: 'a key file that others may read',
    exit: 2,
    says: 'FILE can be read by others than its owner (mode MODE).',
    next: 'chmod 600 FILE',
  },
  malformedKeyFile: {
    mistake: 'a file without a key',
    exit: 2,
    says: 'FILE has no key: expected apiPublicKey and apiPrivateKey in hex',
    next: 'Pass a key file that keywright login or user create wrote.',
  },
  addressWithoutScheme: {
    mistake: 'an address without its scheme',
    exit: 2,
    says: '"ADDRESS" is not the address of a service',
    next: 'Name the scheme: http://ADDRESS, or https://ADDRESS',
  },
  addressWithPath: {
    mistake: 'an address with a path',
    exit: 8,
    says: 'URL is not the address of a service: REASON',
    next: 'Give the address without its path: --url ORIGIN',
  },
  addressOfNobody: {
    mistake: 'a service that does not run',
    exit: 8,
    says: 'URL cannot be reached: no program listens there',
    next: 'Run keywright doctor, which checks the address and the service.',
  },
  addressWithoutTls: {
    mistake: '`https` for a service without TLS',
    exit: 8,
    says: 'URL cannot be reached: it does not use TLS: use an http:// address',
    next: 'Run keywright doctor, which checks the address and the service.',
  },
  otherOrganization: {
    mistake: 'an organization that is not there',
    exit: 5,
    says: 'no organization found with the given ID organizationId=ID',
    next: 'keywright status shows the organization of the profile.',
  },
  wrongClock: {
    mistake: 'a clock that is wrong',
    exit: 6,
    says: 'invalid request body: `timestampMs`: DIFFERENCE',
    next: 'Set the clock of this machine; keywright doctor compares it.',
  },
  unknownCommand: {
    mistake: 'a command that is not there',
    exit: 2,
    says: 'unknown command WORDS; did you mean COMMAND?',
    next: 'keywright COMMAND --help',
  },
  unknownOption: {
    mistake: 'an option that is not there',
    exit: 2,
    says: 'unknown option --WORD; did you mean --OPTION?',
    next: 'keywright COMMAND --help',
  },
  unknownThing: {
    mistake: 'a thing that is not there',
    exit: 5,
    says: 'There is no KIND NAME in this organization.',
    next: 'Did you mean OTHER?',
  },
  unknownWord: {
    mistake: 'a value that an option does not know',
    exit: 2,
    says: '--OPTION does not know WORD; did you mean OTHER?',
    next: 'One of WORDS',
  },
  refusedMember: {
    mistake: 'a value that the service does not accept',
    exit: 6,
    says: 'invalid request body: `FIELD`: REASON',
    next: 'Change FIELD: REASON. See keywright COMMAND --help',
  },
  takenName: {
    mistake: 'a name that is taken',
    exit: 6,
    says: 'KIND label must be unique: `NAME` already exists in this organization',
    next: 'Give another name, or rename or delete the resource that has this name.',
  },
  unknownId: {
    mistake: 'an id that is not there',
    exit: 5,
    says: 'unable to find KIND ID in organization ID: not found',
    next: 'keywright KIND list prints the ids.',
  },
  unknownRange: {
    mistake: 'a range of events that cannot be read or is too long',
    exit: 2,
    says: '"RANGE" is not a range of events: REASON',
    next: 'keywright webhook deliveries lists the numbers of events.',
  },
} as const satisfies Readonly<Record<string, Mistake>>;
