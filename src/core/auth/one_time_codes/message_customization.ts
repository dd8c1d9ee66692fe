// The parts of messages that callers may change. All of it is checked here, before
// anything is decided; an empty text counts as absent, since some clients send all members.

import { fail } from '../../errors/errors.ts';
import { checkEmail } from '../../organization/indexes/contacts.ts';
import { formats } from '../../schema/formats.ts';
import { isJsonObject, parsedJson } from '../../schema/json.ts';
import { maximumLabelCharacters } from '../../schema/schema.ts';

/** E-mail parameters of a request, as sent. */
export type EmailCustomizationParameters = {
  readonly appName?: string | undefined;
  readonly logoUrl?: string | undefined;
  readonly magicLinkTemplate?: string | undefined;
  readonly templateVariables?: string | undefined;
  readonly templateId?: string | undefined;
};

/** The parts of an e-mail that callers may change. */
export type EmailCustomization = {
  /** One line. */
  readonly appName: string | undefined;
  /** A web address. */
  readonly logoUrl: string | undefined;
  /** Contains `%s` once. */
  readonly magicLinkTemplate: string | undefined;
};

export type SenderParameters = {
  readonly sendFromEmailAddress?: string | undefined;
  readonly sendFromEmailSenderName?: string | undefined;
  readonly replyToEmailAddress?: string | undefined;
};

export type Sender = {
  readonly from: string | undefined;
  readonly senderName: string;
  readonly replyTo: string | undefined;
};

export type SmsCustomizationParameters = { readonly template?: string | undefined };

/** The place of the code in a template of text messages. */
export const smsCodePlace = /\{\{ *\.OtpCode *\}\}/g;
/** The place of the code or of the credential bundle in a magic link. */
export const linkPlace = '%s';

export const customizationLimits = {
  logoUrlCharacters: 2048,
  magicLinkCharacters: 2048,
  smsTemplateCharacters: 480,
  templateVariablesCharacters: 4096,
  templateVariables: 32,
  templateVariableNameCharacters: 64,
  templateVariableCharacters: 1024,
} as const;

/**
 * Checks the customization of an e-mail. `field` is the path of these members in the request. No templates
 * exist yet, so every `templateId` is unknown; `templateVariables` are checked and have no effect. A link
 * must point to one of `linkOrigins`. Raises `message_customization_invalid`.
 */
export function checkEmailCustomization(
  parameters: EmailCustomizationParameters,
  field: string,
  linkOrigins: readonly string[],
): EmailCustomization {
  const { appName, logoUrl, magicLinkTemplate, templateVariables, templateId } =
    withoutEmpty(parameters);
  if (appName !== undefined) checkAppName(appName, `${field}.appName`);
  if (logoUrl !== undefined) checkLogoUrl(logoUrl, `${field}.logoUrl`);
  if (magicLinkTemplate !== undefined) {
    checkMagicLinkTemplate(magicLinkTemplate, `${field}.magicLinkTemplate`, linkOrigins);
  }
  if (templateVariables !== undefined) {
    checkTemplateVariables(templateVariables, `${field}.templateVariables`);
  }
  if (templateId !== undefined) {
    const reason = 'failed to get email template contents: there is no template of this id';
    refuse(`${field}.templateId`, reason);
  }
  return { appName, logoUrl, magicLinkTemplate };
}

/**
 * Checks the name of an application, used in subjects and texts: one line of at most 255 characters. Raises
 * `message_customization_invalid`.
 */
export function checkAppName(appName: string, path: string): string {
  checkLine(appName, path);
  return appName;
}

/**
 * Checks the sender of an e-mail; the default name is `Notifications`. Raises `email_invalid` and
 * `message_customization_invalid`.
 */
export function checkSender(parameters: SenderParameters, field: string): Sender {
  const { sendFromEmailAddress, sendFromEmailSenderName, replyToEmailAddress } =
    withoutEmpty(parameters);
  if (sendFromEmailSenderName !== undefined) {
    checkLine(sendFromEmailSenderName, `${field}.sendFromEmailSenderName`);
  }
  const address = (email: string | undefined, member: string) =>
    email === undefined ? undefined : checkEmail(email, `${field}.${member}`);
  return {
    from: address(sendFromEmailAddress, 'sendFromEmailAddress'),
    senderName: sendFromEmailSenderName ?? 'Notifications',
    replyTo: address(replyToEmailAddress, 'replyToEmailAddress'),
  };
}

/**
 * Checks the template of a text message: its only placeholder is the code, `{{.OtpCode}}`. Returns undefined
 * without a template. Raises `message_customization_invalid`.
 */
export function checkSmsTemplate(
  parameters: SmsCustomizationParameters,
  field: string,
): string | undefined {
  const { template } = withoutEmpty(parameters);
  if (template === undefined) return undefined;
  const path = `${field}.template`;
  checkLength(template, customizationLimits.smsTemplateCharacters, path, smsWords);
  const others = template.replace(smsCodePlace, '');
  if (others === template) refuse(path, `${smsWords}: expected \`{{.OtpCode}}\` in it`);
  if (/\{\{|\}\}/.test(others)) {
    refuse(path, `${smsWords}: expected no place but \`{{.OtpCode}}\``);
  }
  if (hasCodeInLink(template)) refuse(path, `${smsWords}: expected the code outside of links`);
  // A text message may contain line breaks, but no other control characters.
  if (/\p{Cc}/u.test(template.replaceAll('\n', ''))) {
    refuse(path, `${smsWords}: expected no control characters except line breaks`);
  }
  return template;
}

/**
 * Returns true if a link contains the code, which would reveal it to the owner of the page. Programs that
 * detect links end them at a plain space or a line end, and some at no other space.
 */
function hasCodeInLink(template: string): boolean {
  const place = '{{.OtpCode}}';
  const words = template.replace(smsCodePlace, place).split(/[ \n]/);
  return words
    .filter((word) => word.includes(place))
    .some((word) => /[./?&@]/.test(word.replaceAll(place, '').replace(/[.,;:!?)\]"']+$/, '')));
}

const smsWords = 'invalid sms template';
const linkWords = 'invalid magic link template';
const variablesWords = 'failed to unmarshal template variables';

/** A text that is valid in the header of an e-mail. */
function checkLine(line: string, path: string): void {
  const words = 'invalid email customization';
  checkLength(line, maximumLabelCharacters, path, words);
  if (!formats.label.matches(line) || /[\u2028\u2029]/.test(line)) {
    refuse(path, `${words}: expected one line of ${formats.label.expected}`);
  }
}

function checkLogoUrl(logoUrl: string, path: string): void {
  const words = 'invalid logo url';
  checkLength(logoUrl, customizationLimits.logoUrlCharacters, path, words);
  const url = URL.parse(logoUrl);
  if (url === null || !['https:', 'http:'].includes(url.protocol)) {
    refuse(path, `${words}: expected an absolute https or http URL`);
  }
}

/** Schemes whose links act on the reader's own page or machine. The schemes of apps are allowed. */
const refusedSchemes: readonly string[] = [
  'about:',
  'blob:',
  'data:',
  'file:',
  'filesystem:',
  'javascript:',
  'mailto:',
  'vbscript:',
  'view-source:',
];

/** Characters of RFC 3986, without the quote and the brackets. */
const linkCharacters = /^[A-Za-z0-9\-._~:/?#@!$&*+,;=%]*$/;

function checkMagicLinkTemplate(
  template: string,
  path: string,
  linkOrigins: readonly string[],
): void {
  checkLength(template, customizationLimits.magicLinkCharacters, path, linkWords);
  if (template.split(linkPlace).length !== 2) refuse(path, `${linkWords}: expected \`%s\` once`);
  const bundle = 'Bundle';
  const url = URL.parse(template.replace(linkPlace, bundle));
  // Programs disagree on a backslash in a link.
  if (url === null || /[\s\p{Cc}\\]/u.test(template)) {
    refuse(path, `${linkWords}: expected an absolute URL`);
  }
  if (refusedSchemes.includes(url.protocol)) {
    refuse(path, `${linkWords}: the scheme \`${url.protocol}\` is not accepted`);
  }
  // Programs that detect links may end a link at other characters and begin another link after them, whose
  // origin was not checked.
  if (!linkCharacters.test(template.replace(/^[^:]*:(\/\/[^/?#]*)?/, ''))) {
    const other = 'others percent-encoded';
    refuse(path, `${linkWords}: expected letters, digits and -._~:/?#@!$&*+,;=% in it, ${other}`);
  }
  // A host would lose the letter case of the bundle, and browsers would not send a password.
  const { username, password, pathname, search, hash } = url;
  const isKept = [pathname, search, hash].some((part) => part.includes(bundle));
  if (!isKept || username !== '' || password !== '') {
    refuse(path, `${linkWords}: expected \`%s\` in the path, query or fragment, and no user name`);
  }
  const origin = originOf(url);
  if (linkOrigins.includes(origin)) return;
  const where = 'FEATURE_NAME_WEBAUTHN_ORIGINS or the allowedOrigins of the onboarding proxy';
  const reason = `links may lead only to origins that the organization allows, and \`${origin}\` is not one of them: add it to ${where} (of the parent organization, if there is one)`;
  refuse(path, `${linkWords}: ${reason}`);
}

/** Returns true if a checked template leads to one of `linkOrigins`. */
export function leadsToOrigin(template: string, linkOrigins: readonly string[]): boolean {
  const url = URL.parse(template);
  return url !== null && linkOrigins.includes(originOf(url));
}

/** The URL standard has no origin for the schemes of apps. */
const originOf = ({ origin, protocol, host }: URL) =>
  origin === 'null' ? `${protocol}//${host}` : origin;

function checkTemplateVariables(text: string, path: string): void {
  const limits = customizationLimits;
  checkLength(text, limits.templateVariablesCharacters, path, variablesWords);
  const value = parsedJson(text);
  if (!isJsonObject(value)) refuse(path, `${variablesWords}: expected a JSON object`);
  const members = Object.entries(value);
  if (members.length > limits.templateVariables) {
    refuse(path, `${variablesWords}: expected at most ${limits.templateVariables} members`);
  }
  for (const [name, variable] of members) {
    if (typeof variable !== 'string') refuse(path, `${variablesWords}: expected strings as values`);
    checkLength(name, limits.templateVariableNameCharacters, path, variablesWords);
    checkLength(variable, limits.templateVariableCharacters, path, variablesWords);
  }
}

function checkLength(text: string, maximum: number, path: string, words: string): void {
  if (text.length > maximum) refuse(path, `${words}: expected at most ${maximum} characters`);
}

function refuse(field: string, description: string): never {
  return fail('message_customization_invalid', { reason: description }, [{ field, description }]);
}

function withoutEmpty<Parameters extends object>(parameters: Parameters): Parameters {
  const given = Object.entries(parameters).filter(([, value]) => value !== '');
  return Object.fromEntries(given) as Parameters;
}
