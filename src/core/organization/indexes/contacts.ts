// E-mail addresses and phone numbers of users.

import type { OtpType } from '../../base/enums.ts';
import { fail, failField } from '../../errors/errors.ts';
import type { User } from '../model.ts';

/** A path has at most 256 characters including brackets (RFC 5321 section 4.5.3). */
export const maximumEmailCharacters = 254;

const maximumLocalPartCharacters = 64;
const localPart = /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+$/;
const domainLabel = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/;

/** Letters, marks and digits of any script; dots and hyphens. */
const domainText = /^[\p{L}\p{M}\p{N}.-]+$/u;
const ascii = /^[\x20-\x7e]*$/;
/** Rejects a numeric host, which would be a network address. */
const numbersAlone = /^[0-9.]+$/;

/** Returns the ASCII form of a domain (UTS 46); undefined for an invalid domain. */
function asciiDomain(domain: string): string | undefined {
  if (ascii.test(domain)) return domain;
  if (!domainText.test(domain)) return undefined;
  const host = URL.parse(`http://${domain}`)?.hostname;
  return host === undefined || numbersAlone.test(host) ? undefined : host;
}

/** Returns the normalized address: an ASCII domain, all in lower case. */
export function comparedEmail(email: string): string {
  const at = email.lastIndexOf('@');
  const domain = asciiDomain(email.slice(at + 1)) ?? email.slice(at + 1);
  return `${email.slice(0, at + 1)}${domain}`.toLowerCase();
}

/**
 * Checks an e-mail address, and returns it with the ASCII form of its domain. Accepts what HTML and mail
 * servers commonly accept: an unquoted atom of RFC 5322, and a domain of at least two labels. Raises
 * `email_invalid`.
 */
export function checkEmail(email: string, field: string): string {
  const at = email.lastIndexOf('@');
  const local = email.slice(0, Math.max(at, 0));
  const domain = asciiDomain(email.slice(at + 1));
  const labels = (domain ?? '').split('.');
  const isEmail =
    email.length <= maximumEmailCharacters &&
    local.length + 1 + (domain ?? '').length <= maximumEmailCharacters &&
    local.length <= maximumLocalPartCharacters &&
    localPart.test(local) &&
    !/^\.|\.\.|\.$/.test(local) &&
    labels.length >= 2 &&
    labels.every((label) => domainLabel.test(label));
  if (!isEmail) {
    const description = 'expected an e-mail address such as name@example.com';
    fail('email_invalid', { field, reason: description }, [{ field, description }]);
  }
  return `${local}@${domain}`;
}

/** A phone number in E.164 form: `+`, country code, subscriber number. Raises `field_invalid`. */
export function checkPhoneNumber(phoneNumber: string, field: string): string {
  if (!/^\+[1-9][0-9]{1,14}$/.test(phoneNumber)) {
    failField(field, 'expected a phone number in E.164 format such as +12025550123');
  }
  return phoneNumber;
}

/**
 * Returns the user's contact for codes of this type; e-mail addresses in lower case. Undefined for a claimed
 * contact, which a stranger typed. Every rule that grants authority by a contact uses this function.
 */
export function contactOf(user: User, otpType: OtpType): string | undefined {
  const isEmail = otpType === 'OTP_TYPE_EMAIL';
  if ((isEmail ? user.emailClaimed : user.phoneNumberClaimed) === true) return undefined;
  return isEmail ? user.email?.toLowerCase() : user.phoneNumber;
}

/** Returns the mark of a contact. An unmarked contact was set by a user of the organization or its parent. */
export function emailMarks(verified: boolean, claimed: boolean): Pick<User, `email${Mark}`> {
  if (verified) return { emailVerified: true };
  return claimed ? { emailClaimed: true } : {};
}

export function phoneNumberMarks(
  verified: boolean,
  claimed: boolean,
): Pick<User, `phoneNumber${Mark}`> {
  if (verified) return { phoneNumberVerified: true };
  return claimed ? { phoneNumberClaimed: true } : {};
}

type Mark = 'Verified' | 'Claimed';
