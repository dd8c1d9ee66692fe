// Formats lines of the audit trail as syslog messages (RFC 5424), with JSON or CEF as their text.

import { activityTitle } from '../../core/activity/activity_title.ts';
import { parsedJson } from '../../core/schema/json.ts';

type SyslogFormat = 'json' | 'cef';

/** The members of a line that messages contain. */
type AuditLine = {
  readonly number: number;
  readonly organizationId: string;
  readonly activityId: string;
  readonly type?: string;
  readonly status?: string;
  readonly fingerprint?: string;
  readonly decidedAt?: string;
  readonly submitter?: { readonly userId?: string };
  readonly decision?: { readonly outcome: string; readonly reason: string };
  readonly failureCode?: number;
  readonly unreadable?: true;
};

/** Facility 13 of RFC 5424 is "log audit". */
const facility = 13;
const severities = { error: 3, notice: 5, informational: 6 } as const;

/** Returns the messages of whole lines, each with its length in front (octet counting). */
export function syslogFrames(
  lines: Uint8Array,
  about: { readonly hostname: string; readonly format: SyslogFormat },
): Uint8Array {
  const texts = Buffer.from(lines.buffer, lines.byteOffset, lines.length).toString().split('\n');
  const frames = texts
    .filter((text) => text !== '')
    .map((text) => {
      const message = Buffer.from(syslogMessage(text, about));
      return Buffer.concat([Buffer.from(`${message.length} `), message]);
    });
  return Buffer.concat(frames);
}

function syslogMessage(
  text: string,
  { hostname, format }: { readonly hostname: string; readonly format: SyslogFormat },
): string {
  // The line comes from the enclave of this service, so its form needs no check.
  const line = parsedJson(text) as unknown as AuditLine;
  const priority = 8 * facility + severities[severityOf(line)];
  const time = line.decidedAt ?? '-';
  const header = `<${priority}>1 ${time} ${printable(hostname, 255)} keywright - ${messageId(line)}`;
  return `${header} - ${format === 'cef' ? cefText(line) : text}`;
}

function severityOf({ status, unreadable }: AuditLine): keyof typeof severities {
  if (unreadable) return 'error';
  return status === 'ACTIVITY_STATUS_COMPLETED' ? 'informational' : 'notice';
}

/** Returns `UPDATE_USER_NAME`; at most 32 characters. */
const messageId = ({ type = '' }: AuditLine): string =>
  printable(type.replace(/^ACTIVITY_TYPE_/, ''), 32);

/** Returns printable ASCII without blanks, or the nil value. */
function printable(text: string, maximum: number): string {
  const shown = text.replace(/[^\x21-\x7e]/g, '').slice(0, maximum);
  return shown === '' ? '-' : shown;
}

const cefSeverities = { error: 9, notice: 5, informational: 3 } as const;

/** Formats a line in ArcSight's Common Event Format, version 0. */
function cefText(line: AuditLine): string {
  const { type = 'UNREADABLE_ACTIVITY', decision, failureCode } = line;
  const header = ['Keywright', 'Keywright', '0', type, activityTitle(type)]
    .map(headerText)
    .join('|');
  const time = line.decidedAt === undefined ? undefined : Date.parse(line.decidedAt);
  const extension = {
    rt: time,
    externalId: line.activityId,
    suid: line.submitter?.userId,
    outcome: line.status?.replace(/^ACTIVITY_STATUS_/, ''),
    reason: decision?.reason,
    cn1: line.number,
    cn1Label: 'number',
    cn2: failureCode,
    cn2Label: failureCode === undefined ? undefined : 'failureCode',
    cs1: line.organizationId,
    cs1Label: 'organizationId',
    cs2: line.fingerprint,
    cs2Label: line.fingerprint === undefined ? undefined : 'fingerprint',
  };
  const members = Object.entries(extension)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${extensionText(String(value))}`);
  return `CEF:0|${header}|${cefSeverities[severityOf(line)]}|${members.join(' ')}`;
}

const headerText = (text: string): string => text.replace(/[\\|]/g, '\\$&').replace(/[\r\n]/g, ' ');
const extensionText = (text: string): string =>
  text.replace(/[\\=]/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\r', '\\r');
