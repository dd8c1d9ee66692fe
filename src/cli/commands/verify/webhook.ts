import type { WebhookKey } from '../../../client/webhooks.ts';
import { command } from '../../command_line/command.ts';
import { readSource } from '../../files/inputs.ts';
import { objectIn, requireTrusted, showVerified } from '../../output/verified.ts';
import { summaryOf } from '../../webhooks/event_summary.ts';
import { keysAt } from '../../webhooks/webhook_keys.ts';
import { usage } from '../../words/failures.ts';
import { option } from '../../words/options.ts';
import { timeText } from '../../words/times.ts';

export default command({
  summary: 'Verifies a saved delivery of a webhook, of any age.',
  reach: 'reads',
  arguments: [
    {
      name: 'file',
      summary:
        'The request as it arrived: headers, an empty line and the body; or JSON with headers and body. Default: the standard input.',
      count: 'optional',
    },
  ],
  options: {
    keys: option(
      'FILE',
      'Saved key set (/public/v1/discovery/webhooks/jwks). Default: fetched from the service.',
    ),
  },
  examples: {
    'verify webhook delivery.http': 'Fetches the keys of the service.',
    'verify webhook delivery.json --keys jwks.json': 'Verifies without a network.',
  },
  run: async ({ arguments: { file = '-' }, options, output, terminal, service }) => {
    const { verifyWebhook } = await import('../../../client/webhooks.ts');
    const delivery = deliveryIn(await readSource(file, terminal), file);
    const keys =
      options.keys === undefined
        ? keysAt((await service()).login.url, terminal.signal)
        : keysIn(await readSource(options.keys, terminal), options.keys);
    // A saved delivery may be old, so show its time but do not check it.
    const now = () => Number(delivery.headers['x-service-timestamp']);
    const verifying = verifyWebhook(delivery, keys, { now });
    const { event, eventId, timestampMs } = await requireTrusted(output, verifying);
    showVerified(
      output,
      {
        Event: eventId,
        // The headers that name the organization and the kind of event are not signed.
        Organization: textIn(event['organizationId']),
        Content: summaryOf(event),
        Signed: timeText({ seconds: timestampMs / 1000 }),
      },
      { eventId, timestampMs, event },
    );
  },
});

const textIn = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined;

type Saved = { readonly headers: Readonly<Record<string, string>>; readonly body: Uint8Array };

/** Parses a saved delivery: a raw HTTP message, or JSON with the unchanged body. */
function deliveryIn(bytes: Uint8Array, file: string): Saved {
  const [first] = bytes;
  if (first !== 0x7b) return requestIn(bytes, file);
  const { headers, body } = objectIn(bytes, file, 'a saved delivery');
  if (typeof body !== 'string' || typeof headers !== 'object' || headers === null) {
    throw usage(`${file} is not a saved delivery: expected the members headers and body`);
  }
  const rows = Object.entries(headers).map(([name, value]): [string, string] => [
    name.toLowerCase(),
    String(value),
  ]);
  return { headers: Object.fromEntries(rows), body: new TextEncoder().encode(body) };
}

/** Parses header lines, an empty line and the body (RFC 9112). */
function requestIn(bytes: Uint8Array, file: string): Saved {
  const text = Buffer.from(bytes).toString('latin1');
  const [end = '', gap] = /^[\s\S]*?(\r?\n\r?\n)/.exec(text) ?? [];
  if (gap === undefined) {
    throw usage(`${file} is not a saved delivery: expected headers, an empty line and the body`);
  }
  const lines = end.trimEnd().split(/\r?\n/);
  const rows = lines.flatMap((line): [string, string][] => {
    const at = line.indexOf(':');
    return at < 1 ? [] : [[line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()]];
  });
  return { headers: Object.fromEntries(rows), body: bytes.subarray(end.length) };
}

function keysIn(bytes: Uint8Array, file: string): readonly WebhookKey[] {
  const { keys } = objectIn(bytes, file, 'a key set');
  if (Array.isArray(keys) && keys.every((row) => row instanceof Object)) return keys;
  throw usage(`${file} is not a key set`);
}
