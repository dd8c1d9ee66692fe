// Log lines for a person at a terminal. Machines read the same lines as JSON.

type Field = string | number | boolean;
type LogLine = Readonly<Record<string, Field>> & {
  readonly level: string;
  readonly time: string;
  readonly msg: string;
};

/** Fields of a request, in display order. */
const requestFields = ['errorCode', 'userId', 'organizationId', 'activityId', 'source'] as const;

/**
 * Returns a line of time (UTC), level, message and fields, with a line end. A request shows its operation,
 * status and milliseconds as the message.
 */
export function readableLine({ level, time, msg, ...fields }: LogLine): string {
  const head = `${time.slice(11, 23)} ${level.toUpperCase().padEnd(5)}`;
  const [message, shown] =
    msg === 'request' ? [requestMessage(fields), pick(fields)] : [msg, Object.entries(fields)];
  const texts = shown.map(([name, value]) => `${name}=${written(value)}`);
  return `${[head, message, ...texts].join(' ')}\n`;
}

function requestMessage(fields: Readonly<Record<string, Field>>): string {
  const { kind, operation, status, durationMs } = fields;
  const name = operation === 'unknown' ? kind : operation;
  return `${name} ${status} ${Number(durationMs).toFixed(1)} ms`;
}

function pick(fields: Readonly<Record<string, Field>>): [string, Field][] {
  return requestFields.flatMap((name): [string, Field][] => {
    const value = fields[name];
    return value === undefined ? [] : [[name, value]];
  });
}

/** Formats a value as one word, or as quoted ASCII with escapes, so that values cannot forge lines. */
function written(value: Field): string {
  const text = String(value);
  if (/^[\w:./?=&@,+-]+$/.test(text)) return text;
  return JSON.stringify(text).replace(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
