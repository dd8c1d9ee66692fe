// Recognizes the data that keys of SSH sign: logins (RFC 4252, section 7), and signatures of files and
// commits (PROTOCOL.sshsig of OpenSSH). Other bytes could be a transaction of the same key.

import { wireReader } from './wire.ts';

const userauthRequest = 50;
const methods = ['publickey', 'publickey-hostbound-v00@openssh.com'];
/** Lengths of the hashes of key exchanges: SHA-1, SHA-256, SHA-384 and SHA-512. */
const sessionIdBytes = [20, 32, 48, 64];
const fileMark = Buffer.from('SSHSIG');
const fileHashBytes: Readonly<Record<string, number>> = { sha256: 32, sha512: 64 };

/** Returns true for a login by the key of `blob`, and for a signature of a file or commit. */
export function isSignedBySsh(data: Uint8Array, blob: Uint8Array): boolean {
  return isLogin(data, blob) || isFileSignature(data);
}

function isLogin(data: Uint8Array, blob: Uint8Array): boolean {
  const read = wireReader(data);
  const text = () => Buffer.from(read.string() ?? []).toString('latin1');
  const sessionId = read.string();
  if (sessionId === undefined || !sessionIdBytes.includes(sessionId.length)) return false;
  const isRequest = read.byte() === userauthRequest && read.string() !== undefined;
  const isConnection = isRequest && text() === 'ssh-connection' && methods.includes(text());
  // After the flag of a signature comes the name of the algorithm.
  if (!isConnection || read.byte() !== 1 || read.string() === undefined) return false;
  return Buffer.compare(read.string() ?? new Uint8Array(0), blob) === 0;
}

function isFileSignature(data: Uint8Array): boolean {
  const mark = data.subarray(0, fileMark.length);
  if (Buffer.compare(mark, fileMark) !== 0) return false;
  const read = wireReader(data.subarray(fileMark.length));
  const [namespace, reserved, hashName, hash] = [
    read.string(),
    read.string(),
    read.string(),
    read.string(),
  ];
  const expected = fileHashBytes[Buffer.from(hashName ?? []).toString('latin1')];
  const isEnd = read.byte() === undefined;
  return (
    isEnd &&
    reserved !== undefined &&
    (namespace?.length ?? 0) > 0 &&
    expected !== undefined &&
    hash?.length === expected
  );
}
