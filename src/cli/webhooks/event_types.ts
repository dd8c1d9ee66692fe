// Parses the event types and body formats of a webhook endpoint.

import { webhookEventTypeNames, type webhookFormats } from '../../core/base/enums.ts';
import { chosen } from '../words/choices.ts';

const known = Object.fromEntries(webhookEventTypeNames.map((name) => [name, name]));

/** Formats of a body, by the value of the option. */
export const formats: Readonly<Record<string, (typeof webhookFormats)[number]>> = {
  event: 'WEBHOOK_FORMAT_EVENT',
  slack: 'WEBHOOK_FORMAT_SLACK',
  teams: 'WEBHOOK_FORMAT_TEAMS',
  telegram: 'WEBHOOK_FORMAT_TELEGRAM',
};

const waitingOnly = JSON.stringify({ statuses: ['ACTIVITY_STATUS_CONSENSUS_NEEDED'] });

/**
 * Returns subscriptions to these event types. Default: activities. With `isWaiting`, only activities that
 * wait for votes. Throws `usage`.
 */
export function subscriptionsTo(
  words: readonly string[],
  isWaiting = false,
): readonly { readonly eventType: string; readonly filtersJson?: string }[] {
  const types = words.length === 0 ? ['ACTIVITY_UPDATES'] : words;
  return types
    .map((word) => chosen(known, word, '--event'))
    .map((eventType) => ({
      eventType,
      ...(isWaiting && eventType === 'ACTIVITY_UPDATES' ? { filtersJson: waitingOnly } : {}),
    }));
}
