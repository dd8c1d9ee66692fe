// Kinds of webhook events.

import { webhookEventTypeNames } from '../../core/base/enums.ts';
import { chosen } from '../words/choices.ts';

const known = Object.fromEntries(webhookEventTypeNames.map((name) => [name, name]));

/** The subscriptions to these kinds of events; to activities where none is given. Raises `usage`. */
export const subscriptionsTo = (
  words: readonly string[],
): readonly { readonly eventType: string }[] =>
  words.length === 0
    ? [{ eventType: 'ACTIVITY_UPDATES' }]
    : words.map((word) => ({ eventType: chosen(known, word, '--event') }));
