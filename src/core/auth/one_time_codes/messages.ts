// Messages to people: a code, or the credential of an e-mail login or a recovery. `message_customization.ts`
// checks the callers' texts; this file escapes them in HTML.

import { assert } from '../../errors/errors.ts';
import type { OutgoingEmail, OutgoingSms } from '../../external/outgoing_message.ts';
import {
  type EmailCustomization,
  linkPlace,
  type Sender,
  smsCodePlace,
} from './message_customization.ts';

/**
 * Returns an e-mail with a code, and with the requested link. A program that opens all links of an e-mail
 * cannot use up the code: a try needs the ID of the code, which only the page that requested it knows.
 */
export function codeEmail(
  code: string,
  lifeSeconds: number,
  to: string,
  { appName, logoUrl, magicLinkTemplate }: EmailCustomization,
  sender: Sender,
): OutgoingEmail {
  const subject = appName === undefined ? 'Your code' : `Your ${appName} code`;
  const link: Paragraph[] =
    magicLinkTemplate === undefined
      ? []
      : [
          { text: 'Or open this link on the device on which you asked for it:' },
          {
            text: appName === undefined ? 'Continue' : `Continue to ${appName}`,
            isProminent: true,
            link: linkTo(magicLinkTemplate, code),
          },
        ];
  return email(to, subject, sender, logoUrl, [
    { text: `${subject} is:` },
    { text: code, isProminent: true },
    ...link,
    { text: `It is valid for ${duration(lifeSeconds)} and can be used once.` },
    { text: 'If you did not ask for it, ignore this message, and do not share the code.' },
  ]);
}

/** Returns a text message with a code. */
export function codeSms(
  code: string,
  lifeSeconds: number,
  to: string,
  {
    appName,
    template,
  }: { readonly appName: string | undefined; readonly template?: string | undefined },
): OutgoingSms {
  const name = appName === undefined ? '' : `${appName} `;
  const text =
    template === undefined
      ? `Your ${name}code is ${code}. It is valid for ${duration(lifeSeconds)}.`
      : template.replace(smsCodePlace, () => code);
  return { channel: 'sms', to, text };
}

/** Returns an e-mail with the credential bundle (base58) of a login, in a magic link if requested. */
export function loginEmail(
  bundle: string,
  lifeSeconds: number,
  to: string,
  customization: EmailCustomization,
  sender: Sender,
): OutgoingEmail {
  const { appName } = customization;
  const subject = appName === undefined ? 'Log in' : `Log in to ${appName}`;
  return bundleEmail(bundle, lifeSeconds, to, subject, customization, sender);
}

/** Returns an e-mail with the credential bundle (base58) of a recovery, in a magic link if requested. */
export function recoveryEmail(
  bundle: string,
  lifeSeconds: number,
  to: string,
  customization: EmailCustomization,
  sender: Sender,
): OutgoingEmail {
  const { appName } = customization;
  const subject =
    appName === undefined ? 'Recover your account' : `Recover your ${appName} account`;
  return bundleEmail(bundle, lifeSeconds, to, subject, customization, sender);
}

/** Escapes a text for an HTML element or a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** A paragraph; `isProminent` marks the code or link. */
type Paragraph = {
  readonly text: string;
  readonly isProminent?: boolean;
  /** Target of the text's link. */
  readonly link?: string;
};

function bundleEmail(
  bundle: string,
  lifeSeconds: number,
  to: string,
  subject: string,
  { logoUrl, magicLinkTemplate }: EmailCustomization,
  sender: Sender,
): OutgoingEmail {
  const way: Paragraph[] =
    magicLinkTemplate === undefined
      ? [{ text: 'Copy this code to where you asked for it:' }, { text: bundle, isProminent: true }]
      : [
          { text: 'Open this link on the device on which you asked for it:' },
          {
            text: subject,
            isProminent: true,
            link: linkTo(magicLinkTemplate, bundle),
          },
        ];
  return email(to, subject, sender, logoUrl, [
    ...way,
    { text: `It is valid for ${duration(lifeSeconds)}.` },
    { text: 'If you did not ask for it, ignore this message, and do not share it.' },
  ]);
}

const linkTo = (template: string, secret: string) => template.replace(linkPlace, () => secret);

function email(
  to: string,
  subject: string,
  { from, senderName, replyTo }: Sender,
  logoUrl: string | undefined,
  paragraphs: readonly Paragraph[],
): OutgoingEmail {
  // These lines were checked on arrival; a line break would start another header.
  for (const line of [to, subject, senderName, from ?? '', replyTo ?? '']) {
    assert(!/[\p{Cc}\u2028\u2029]/u.test(line), 'headers of a message are single lines');
  }
  return {
    channel: 'email',
    to,
    subject,
    text: `${paragraphs.map(({ text, link }) => link ?? text).join('\n\n')}\n`,
    html: htmlOf(subject, logoUrl, paragraphs),
    ...(from === undefined ? {} : { from }),
    senderName,
    ...(replyTo === undefined ? {} : { replyTo }),
  };
}

function htmlOf(
  title: string,
  logoUrl: string | undefined,
  paragraphs: readonly Paragraph[],
): string {
  const logo =
    logoUrl === undefined
      ? []
      : [
          `<p><img src="${escapeHtml(logoUrl)}" alt="" style="max-width:340px;max-height:124px"></p>`,
        ];
  const body = paragraphs.map(({ text, isProminent, link }) => {
    const shown = link === undefined ? escapeHtml(text) : anchor(link, text);
    return isProminent === true ? `<p style="${prominent}">${shown}</p>` : `<p>${shown}</p>`;
  });
  return [
    '<!doctype html>',
    `<html><head><meta charset="utf-8"><title>${escapeHtml(title)}</title></head>`,
    '<body style="font-family:sans-serif;max-width:36em">',
    ...logo,
    ...body,
    '</body></html>',
    '',
  ].join('\n');
}

const prominent = 'font-size:1.5em;font-weight:bold;overflow-wrap:anywhere';

function anchor(link: string, text: string): string {
  return `<a href="${escapeHtml(link)}" rel="noreferrer">${escapeHtml(text)}</a>`;
}

function duration(seconds: number): string {
  const [count, unit] = seconds % 60 === 0 ? [seconds / 60, 'minute'] : [seconds, 'second'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
