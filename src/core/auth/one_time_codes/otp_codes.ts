// Rules of one-time codes: how many may be started, and the effect of a try. Functions take rows and the
// time, and return the rows to write. A wrong code is an outcome and no exception, because the same commit
// must count the refused try.

import { base64url, bytesOfBase64url } from '../../base/bytes.ts';
import { type FeatureName, type OtpType, otpTypes } from '../../base/enums.ts';
import { rowOf, table } from '../../base/table.ts';
import { assert, fail, failAndRecord, failField } from '../../errors/errors.ts';
import { isTestContact, testCode } from '../../external/sandbox_contacts.ts';
import { checkEmail, checkPhoneNumber } from '../../organization/indexes/contacts.ts';
import type { OtpCode, OtpFlow } from '../../organization/records/one_time_codes.ts';
import {
  type CodeDigest,
  type CodeForm,
  codeLengths,
  codeRandomBytes,
  codeSaltBytes,
  digestCode,
  isCode,
  makeCode,
  normalizeCode,
} from './otp_code.ts';
import { isGuessing, isLive, makeRoom, otpLimits } from './otp_limits.ts';

type OtpTypeRow = {
  channel: 'email' | 'sms';
  /** The feature that an organization must enable. */
  feature: FeatureName;
  /** Returns the normalized contact. */
  check: (contact: string, field: string) => string;
};

/** Channels of codes. */
export const otpTypeTable = table<OtpTypeRow>()<OtpType>({
  OTP_TYPE_EMAIL: {
    channel: 'email',
    feature: 'FEATURE_NAME_OTP_EMAIL_AUTH',
    check: (contact, field) => checkEmail(contact, field).toLowerCase(),
  },
  OTP_TYPE_SMS: { channel: 'sms', feature: 'FEATURE_NAME_SMS_AUTH', check: checkPhoneNumber },
});

/** Parameters of a code in a request. */
export type CodeRequest = {
  readonly flow: OtpFlow;
  readonly otpType: string;
  readonly contact: string;
  readonly userIdentifier?: string | undefined;
  /** Number of characters. Default: 9. */
  readonly otpLength?: number | undefined;
  /** Default: true. */
  readonly alphanumeric?: boolean | undefined;
  /** Default: 300. */
  readonly expirationSeconds?: number | undefined;
};

export type StartedCode = {
  /** The row to store. */
  readonly row: OtpCode;
  /** IDs of rows to remove, because they expired or make room for the new row. */
  readonly removed: readonly string[];
  /** New rows of replaced codes, which still count but are no longer valid. */
  readonly ended: readonly OtpCode[];
  /** The code, which only the message may contain. */
  readonly code: string;
  /** False for a test contact. */
  readonly isSent: boolean;
};

/**
 * Starts a code. `field` is the path of the parameters in the request. The caller encrypts `targetPrivateKey`
 * under the ID of the code. Codes to test contacts count as sent. Raises `field_invalid` and `email_invalid`,
 * and `otp_limit_reached` after too many codes.
 */
export function startCode(
  rows: Iterable<OtpCode>,
  request: CodeRequest,
  context: {
    readonly id: string;
    readonly now: number;
    readonly random: (length: number) => Uint8Array;
    readonly isDevelopment: boolean;
    readonly targetPrivateKey?: string | undefined;
    /** Source of a stranger's request; undefined for a stamped caller. */
    readonly stranger?: string | undefined;
    readonly field: string;
  },
): StartedCode {
  const { id, now, random, isDevelopment, targetPrivateKey, stranger, field } = context;
  const { otpType, contact, userIdentifier } = checkRecipient(request, field);
  const form = codeFormOf(request, field);
  const lifeSeconds = lifeSecondsOf(request, field);
  const { flow } = request;
  assert((targetPrivateKey !== undefined) === (flow === 'otp_v3'), 'only otp_v3 has a target key');

  const { removed, ended } = makeRoom(rows, { contact, userIdentifier, stranger }, now);

  const isSent = !isTestContact(contact, form, isDevelopment);
  const code = isSent ? makeCode(random(codeRandomBytes), form) : testCode;
  const { salt, digest } = digestCode(code, random(codeSaltBytes));
  const row: OtpCode = {
    id,
    createdAtMs: now,
    updatedAtMs: now,
    flow,
    otpType,
    contact,
    ...(userIdentifier === undefined ? {} : { userIdentifier }),
    ...(stranger === undefined ? {} : { stranger }),
    alphanumeric: form.alphanumeric,
    salt: base64url(salt),
    digest: base64url(digest),
    triesLeft: otpLimits.triesPerCode,
    expiresAtMs: now + lifeSeconds * 1000,
    ...(targetPrivateKey === undefined ? {} : { targetPrivateKey }),
  };
  return { row, removed, ended: ended.map((old) => withTries(old, 0, now)), code, isSent };
}

export type TriedCode =
  | {
      readonly outcome: 'verified';
      /** The type of the verified contact. */
      readonly otpType: OtpType;
      readonly contact: string;
      /** The new stored row. */
      readonly changed: OtpCode;
    }
  | {
      /** The answer is `otp_code_invalid` for every reason. */
      readonly outcome: 'refused';
      /** The new stored row; undefined if it does not change. */
      readonly changed: OtpCode | undefined;
    };

/**
 * Tries a code once. Unknown, wrong, expired, used and locked codes, and codes of another flow, are refused
 * after the same work, and so are all codes of a stranger with too many wrong tries. `typed` is undefined if
 * the request held no code, which counts as a wrong one. The change must be committed for every outcome.
 */
export function tryCode(
  row: OtpCode | undefined,
  attempt: {
    readonly typed: string | undefined;
    readonly flow: OtpFlow;
    /** All codes of the organization. */
    readonly rows: Iterable<OtpCode>;
    readonly now: number;
    /** Returns true if the running enclave still allows this try; called once. */
    readonly admits: (code: OtpCode) => boolean;
  },
): TriedCode {
  const { typed, flow, rows, now, admits } = attempt;
  const matches = isCode(normalizeCode(typed ?? '', row?.alphanumeric ?? true), digestOf(row));
  const isOpen = row !== undefined && row.flow === flow && isLive(row, now);
  if (!isOpen || isGuessing(rows, row.stranger, now) || !admits(row)) {
    return { outcome: 'refused', changed: undefined };
  }
  if (matches) {
    const { otpType, contact } = row;
    return { outcome: 'verified', otpType, contact, changed: withTries(row, 0, now) };
  }
  const wrongTries = (row.wrongTries ?? 0) + 1;
  const changed = { ...withTries(row, row.triesLeft - 1, now), wrongTries };
  return { outcome: 'refused', changed };
}

/**
 * Refuses an attempt. A counted attempt is stored. An attempt on an unknown or expired code is not, since
 * strangers could fill the organization with such rows. Raises `otp_code_invalid`.
 */
export function refuseTry({ changed }: Pick<TriedCode, 'changed'>): never {
  return changed === undefined ? fail('otp_code_invalid') : failAndRecord('otp_code_invalid');
}

/**
 * Returns the channel and the normalized contact of a request. An empty user identifier counts as absent.
 * Raises `field_invalid` and `email_invalid`.
 */
function checkRecipient(
  request: Pick<CodeRequest, 'otpType' | 'contact' | 'userIdentifier'>,
  field: string,
): {
  readonly otpType: OtpType;
  readonly contact: string;
  readonly userIdentifier: string | undefined;
} {
  const type = rowOf(otpTypeTable, request.otpType);
  if (type === undefined) {
    return failField(`${field}.otpType`, `expected one of ${otpTypes.join(', ')}`);
  }
  const { userIdentifier = '' } = request;
  if (userIdentifier.length > otpLimits.userIdentifierCharacters) {
    const maximum = otpLimits.userIdentifierCharacters;
    failField(`${field}.userIdentifier`, `expected at most ${maximum} characters`);
  }
  return {
    otpType: type.name,
    contact: type.check(request.contact, `${field}.contact`),
    userIdentifier: userIdentifier === '' ? undefined : userIdentifier,
  };
}

function codeFormOf({ otpLength, alphanumeric }: CodeRequest, field: string): CodeForm {
  const { minimum, maximum, fallback } = codeLengths;
  const length = otpLength ?? fallback;
  if (!isWithin(length, codeLengths)) {
    failField(`${field}.otpLength`, `expected a whole number from ${minimum} to ${maximum}`);
  }
  return { length, alphanumeric: alphanumeric ?? true };
}

function lifeSecondsOf({ expirationSeconds }: CodeRequest, field: string): number {
  const { minimum, maximum, fallback } = otpLimits.lifeSeconds;
  const seconds = expirationSeconds ?? fallback;
  if (!isWithin(seconds, otpLimits.lifeSeconds)) {
    failField(`${field}.expirationSeconds`, `expected ${minimum} to ${maximum} seconds`);
  }
  return seconds;
}

function isWithin(value: number, bounds: { minimum: number; maximum: number }): boolean {
  return Number.isInteger(value) && value >= bounds.minimum && value <= bounds.maximum;
}

/** Returns the row with fewer attempts left. A code without attempts loses its key. */
function withTries(row: OtpCode, triesLeft: number, now: number): OtpCode {
  const { targetPrivateKey, ...rest } = row;
  const key = triesLeft > 0 && targetPrivateKey !== undefined ? { targetPrivateKey } : {};
  return { ...rest, ...key, triesLeft, updatedAtMs: now };
}

function digestOf(row: OtpCode | undefined): CodeDigest {
  if (row === undefined) return noCode;
  const salt = bytesOfBase64url(row.salt);
  const digest = bytesOfBase64url(row.digest);
  assert(salt !== undefined && digest !== undefined, 'salt and digest of a code are base64url');
  return { salt, digest };
}

/** Compared with the typed code if there is no row, so that the time stays the same. */
const noCode: CodeDigest = {
  salt: new Uint8Array(codeSaltBytes),
  digest: new Uint8Array(32),
};
