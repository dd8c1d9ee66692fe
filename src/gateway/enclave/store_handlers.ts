// Handlers for the enclave's requests to this process: the store, and lines for the log.

import type { ExternalMessages } from '../../ipc/external_messages.ts';
import type { Handlers } from '../../ipc/message_table.ts';
import type { GatewayMessages } from '../../ipc/messages.ts';
import type { StorePort } from '../../store/port.ts';
import type { Log } from '../observability/log.ts';

/** Returns the handlers of store messages. */
export function storeHandlers(
  store: StorePort,
  log: Log,
): Omit<
  Handlers<GatewayMessages>,
  keyof Handlers<ExternalMessages> | 'anchor' | 'setAnchor' | 'logAnchor' | 'witnessed'
> {
  return {
    deployment: async () => ({ body: await store.deployment() }),
    organization: (request) => store.organization(request),
    children: (request) => store.children(request),
    records: (request) => store.records(request),
    recordPage: (request) => store.recordPage(request),
    lookup: (request) => store.lookup(request),
    lookups: (request) => store.lookups(request),
    activity: async (request) => ({ activity: await store.activity(request) }),
    activityPage: (request) => store.activityPage(request),
    deliveryPage: (request) => store.deliveryPage(request),
    commit: (request) => store.commit(request),
    log: ({ level, message, fields }) => {
      log(levels.find((known) => known === level) ?? 'error', message, fieldsOf(fields));
      return undefined;
    },
  };
}

const levels = ['info', 'warn', 'error'] as const;
const maximumFieldsLength = 16_384;

/** Returns the texts and numbers of a JSON object; wraps any other text unchanged. */
function fieldsOf(json: string): Readonly<Record<string, string | number>> {
  if (json.length > maximumFieldsLength) return { fields: json.slice(0, maximumFieldsLength) };
  try {
    const fields: Record<string, string | number> = { from: 'enclave' };
    for (const [name, value] of Object.entries<unknown>(JSON.parse(json))) {
      if (typeof value === 'string' || typeof value === 'number') fields[name] = value;
    }
    return fields;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return { fields: json };
    throw error;
  }
}
