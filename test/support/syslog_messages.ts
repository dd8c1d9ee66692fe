import assert from 'node:assert/strict';

/** Splits the bytes of a connection into messages of syslog by octet counting (RFC 6587). */
export function messagesIn(bytes: Buffer): readonly string[] {
  const messages: string[] = [];
  for (let at = 0; at < bytes.length; ) {
    const blank = bytes.indexOf(0x20, at);
    const length = bytes.subarray(at, blank).toString();
    assert.match(length, /^[1-9][0-9]{0,8}$/);
    const end = blank + 1 + Number(length);
    assert(end <= bytes.length, 'a message is whole');
    messages.push(bytes.subarray(blank + 1, end).toString());
    at = end;
  }
  return messages;
}
