// Formats events as chat notices: the event, its user and a link. A notice has no button, because an approval
// needs the user's key.

import { activityTitle } from '../activity/activity_title.ts';
import { amountText } from '../balances/amount_text.ts';
import { utf8 } from '../base/bytes.ts';
import type { WebhookEventType, WebhookFormat } from '../base/enums.ts';
import { spokenFingerprint } from '../derivation/spoken_fingerprint.ts';
import { isJsonObject, type Json, type JsonObject, parsedJson } from '../schema/json.ts';
import { shownText } from '../transactions/text/shown_text.ts';

type ChatFormat = Exclude<WebhookFormat, 'WEBHOOK_FORMAT_EVENT'>;

/** The title and lines of a notice. Long values are truncated, so they cannot hide others. */
type Notice = { readonly title: string; readonly lines: readonly string[]; readonly link?: string };

const maximumCharacters = 120;

/**
 * Returns the body of a delivery to a chat as UTF-8 JSON: a message of Slack or Telegram, or an adaptive card
 * of Teams. `body` is the body of the event; `publicUrl` is the address of the service.
 */
export function chatNotice(
  format: ChatFormat,
  event: { readonly type: WebhookEventType; readonly body: string },
  publicUrl: string,
): Uint8Array {
  const body = parsedJson(event.body);
  const notice = notices[event.type](isJsonObject(body) ? body : {}, publicUrl);
  return utf8(JSON.stringify(messages[format](notice)));
}

const notices: Readonly<Record<WebhookEventType, (body: JsonObject, publicUrl: string) => Notice>> =
  {
    ACTIVITY_UPDATES: activityNotice,
    BALANCE_CONFIRMED_UPDATES: (body) => balanceNotice(body, 'confirmed'),
    BALANCE_FINALIZED_UPDATES: (body) => balanceNotice(body, 'final'),
    SEND_TRANSACTION_STATUS_UPDATES: ({ organizationId, msg }) => ({
      title: `Transaction ${textIn(msg, 'status').toLowerCase()} on ${textIn(msg, 'caip2')}`,
      lines: [`Organization ${shown(organizationId)}`],
    }),
    WEBHOOK_ENDPOINT_UPDATES: ({ organizationId, msg }) => ({
      title: `Webhook endpoint ${textIn(msg, 'name')} was disabled`,
      lines: ['Its deliveries failed for too long.', `Organization ${shown(organizationId)}`],
    }),
  };

/** Titles by the status of an activity. */
const statusTitles: Readonly<Record<string, string>> = {
  ACTIVITY_STATUS_CONSENSUS_NEEDED: 'Approval needed',
  ACTIVITY_STATUS_AUTHENTICATORS_NEEDED: 'Credentials needed',
  ACTIVITY_STATUS_COMPLETED: 'Completed',
  ACTIVITY_STATUS_REJECTED: 'Rejected',
  ACTIVITY_STATUS_FAILED: 'Failed',
};

function activityNotice(activity: JsonObject, publicUrl: string): Notice {
  const { id, type, status, fingerprint, organizationId, votes } = activity;
  const [submission] = Array.isArray(votes) ? votes : [];
  const user = isJsonObject(submission) ? submission['user'] : undefined;
  const words = typeof fingerprint === 'string' ? spokenFingerprint(fingerprint) : '';
  return {
    title: `${statusTitles[String(status)] ?? 'Activity'}: ${shown(activityTitle(String(type ?? 'unknown')))}`,
    lines: [
      `Requested by ${textIn(user, 'userName')}`,
      `Comparison code: ${words}`,
      `Organization ${shown(organizationId)}`,
    ],
    link: `${publicUrl.replace(/\/$/, '')}/dashboard/activities/${shown(id)}`,
  };
}

function balanceNotice({ organizationId, msg }: JsonObject, stage: string): Notice {
  const asset = isJsonObject(msg) ? msg['asset'] : undefined;
  return {
    title: `${textIn(msg, 'operation')} of ${amountOf(asset)} is ${stage}`,
    lines: [
      `Account ${textIn(msg, 'address')} on ${textIn(msg, 'caip2')}`,
      `Organization ${shown(organizationId)}`,
    ],
  };
}

/** Returns the amount in whole units with the symbol of its asset. */
function amountOf(asset: Json | undefined): string {
  const decimals = isJsonObject(asset) ? Number(asset['decimals']) : 0;
  return `${amountText(textIn(asset, 'amount'), decimals)} ${textIn(asset, 'symbol')}`;
}

function textIn(value: Json | undefined, name: string): string {
  return isJsonObject(value) ? shown(value[name]) : '';
}

const shown = (value: Json | undefined): string =>
  typeof value === 'string' ? shownText(value, maximumCharacters) : '';

const messages: Readonly<Record<ChatFormat, (notice: Notice) => Json>> = {
  WEBHOOK_FORMAT_SLACK: ({ title, lines, link }) => ({
    text: [
      `*${slackText(title)}*`,
      ...lines.map(slackText),
      ...(link === undefined ? [] : [`<${link}>`]),
    ].join('\n'),
    unfurl_links: false,
    unfurl_media: false,
  }),
  WEBHOOK_FORMAT_TEAMS: ({ title, lines, link }) => ({
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        content: {
          type: 'AdaptiveCard',
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          version: '1.4',
          body: [
            { type: 'TextBlock', text: cardText(title), weight: 'bolder', wrap: true },
            ...lines.map((line) => ({ type: 'TextBlock', text: cardText(line), wrap: true })),
            ...(link === undefined
              ? []
              : [{ type: 'TextBlock', text: `[${link}](${link})`, wrap: true }]),
          ],
        },
      },
    ],
  }),
  // Omits `parse_mode`, so that user text has no formatting. The URL of the endpoint contains the chat.
  WEBHOOK_FORMAT_TELEGRAM: ({ title, lines, link }) => ({
    text: [title, ...lines]
      .map(telegramText)
      .concat(link ?? [])
      .join('\n'),
    link_preview_options: { is_disabled: true },
  }),
};

/** Breaks up addresses, mentions, tags and commands, which Telegram finds in plain text. */
const telegramText = (text: string): string =>
  text.replaceAll(/[.:/@#$](?=\S)/g, (mark) => `${mark}\u200b`);

/** Escapes mentions, links and styles of Slack in user text. */
const slackText = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(/[*_~`]/g, (mark) => `\u200b${mark}`)
    .replaceAll('://', ':\u200b//');

/** Escapes Markdown of adaptive cards in user text. */
const cardText = (text: string): string =>
  text.replaceAll(/[\\`*_[\]()#~<>|-]/g, (mark) => `\\${mark}`).replaceAll('://', ':\u200b//');
