// Text formats that schemas refer to by name.

import { table } from '../base/table.ts';

type Format = {
  matches: (text: string) => boolean;
  expected: string;
  /** True if the format determines the length, so messages need not mention it. */
  decidesLength?: true;
};

export const formats = table<Format>()({
  uuid: {
    matches: (text) => /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text),
    expected: 'a UUID',
    decidesLength: true,
  },
  fingerprint: {
    matches: (text) => /^sha256:[0-9a-f]{64}$/i.test(text),
    expected: 'the fingerprint of an activity, `sha256:` and 64 hex digits',
    decidesLength: true,
  },
  label: {
    matches: (text) => !/\p{Cc}/u.test(text) && text.trim() !== '',
    expected: 'visible text without control characters',
  },
  decimal: {
    matches: (text) => /^(0|[1-9][0-9]*)$/.test(text),
    expected: 'a whole number in decimal digits',
  },
});

export type FormatName = keyof typeof formats;

/** The names of the formats, so that the compiler detects misspelled names. */
export const formatNames = {
  uuid: 'uuid',
  fingerprint: 'fingerprint',
  label: 'label',
  decimal: 'decimal',
} as const satisfies { [Name in FormatName]: Name };

/** Returns true if a text is a UUID in any letter case. */
export const isUuid = (text: string): boolean => formats.uuid.matches(text);
