// E-mail addresses and phone numbers of users.

import type { OtpType } from '../../base/enums.ts';
import { fail, failField } from '../../errors/errors.ts';
import type { User } from '../model.ts';

/** RFC 5321 section 4.5.3: a path has 256 characters with its brackets. */
export const maximumEmailCharacters = 254;

const maximumLocalPartCharacters = 64;
const localPart = /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+$/;
const domainLabel = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/;

/** Letters, marks and digits of any script; dots and hyphens. */
const domainText = /^[\p{L}\p{M}\p{N}.-]+$/u;
const ascii = /^[\x20-\x7e]*$/;
/** Rejects a numeric host, which would be a network address. */
const numbersAlone = /^[0-9.]+$/;

/** Returns a domain in its ASCII form (UTS 46); undefined for a text that has none. */
function asciiDomain(domain: string): string | undefined {
  if (ascii.test(domain)) return domain;
  if (!domainText.test(domain)) return undefined;
  const host = URL.parse(`http://${domain}`)?.hostname;
  return host === undefined || numbersAlone.test(host) ? undefined : host;
}

/** Returns the form in which addresses are compared: an ASCII domain, all in lower case. */
export function comparedEmail(email: string): string {
  const at = email.lastIndexOf('@');
  const domain = asciiDomain(email.slice(at + 1)) ?? email.slice(at + 1);
  return `${email.slice(0, at + 1)}${domain}`.toLowerCase();
}

/**
 * Returns an e-mail address with the ASCII form of its domain. Accepts what HTML and mail servers commonly
 * do: an atom of RFC 5322 without quoting, and a domain of at least two labels. Raises `email_invalid`.
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
 * The contact of a user that codes of this type go to; e-mail addresses in lower case. A contact that a
 * stranger typed does not count. Every rule that gives authority by a contact uses this function.
 */
export function contactOf(user: User, otpType: OtpType): string | undefined {
  const isEmail = otpType === 'OTP_TYPE_EMAIL';
  if ((isEmail ? user.emailClaimed : user.phoneNumberClaimed) === true) return undefined;
  return isEmail ? user.email?.toLowerCase() : user.phoneNumber;
}

/** A contact is verified, claimed, or neither: then a user of the organization or its parent set it. */
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
