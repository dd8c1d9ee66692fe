// The manifest of a deployment: the program of an enclave, and its operators. Clients show it as JSON.
// Operators sign the SHA-256 of the same values in Borsh (https://borsh.io, version 1), in the order of these
// types. This is the first form of QuorumOS manifests, without `version`.

import { bytesOfHex, concatBytes, utf8 } from '../base/bytes.ts';
import { sha256 } from '../crypto/hashes.ts';
import { assert } from '../errors/errors.ts';

/** Members in the order of the encoding. Bytes are lower-case hex. */
export type DeploymentManifest = {
  readonly namespace: {
    readonly name: string;
    readonly nonce: number;
    readonly quorumKey: string;
  };
  readonly pivot: {
    /** 32 bytes. */
    readonly hash: string;
    readonly restart: (typeof restartPolicies)[number];
    readonly bridgeConfig: readonly ServerBridge[];
    readonly debugMode: boolean;
    readonly args: readonly string[];
  };
  readonly manifestSet: Quorum;
  readonly shareSet: Quorum;
  readonly enclave: {
    readonly pcr0: string;
    readonly pcr1: string;
    readonly pcr2: string;
    readonly pcr3: string;
    readonly awsRootCertificate: string;
    readonly qosCommit: string;
  };
  readonly patchSet: {
    readonly threshold: number;
    readonly members: readonly { readonly pubKey: string }[];
  };
};

/** A bridge for incoming connections. */
type ServerBridge = {
  readonly type: 'server';
  readonly port: number;
  readonly host: string;
};

export type Quorum = {
  readonly threshold: number;
  readonly members: readonly { readonly alias: string; readonly pubKey: string }[];
};

/** Encoded as their indexes. */
const restartPolicies = ['Never', 'Always'] as const;
const bridgeTypes = ['server', 'client'] as const;

/** Returns the JSON of a manifest. */
export const manifestText = (manifest: DeploymentManifest): string => JSON.stringify(manifest);

/** Returns the digest that operators sign: SHA-256 of the encoding, 32 bytes. */
export const manifestDigest = (manifest: DeploymentManifest): Uint8Array =>
  sha256(encodeManifest(manifest));

/** Encodes a manifest in Borsh. */
export function encodeManifest(manifest: DeploymentManifest): Uint8Array {
  const { namespace, pivot, manifestSet, shareSet, enclave, patchSet } = manifest;
  return concatBytes(
    text(namespace.name),
    integer(namespace.nonce, 4),
    bytes(namespace.quorumKey),

    fixedBytes(pivot.hash, 32),
    integer(restartPolicies.indexOf(pivot.restart), 1),
    list(pivot.bridgeConfig, ({ type, port, host }) =>
      concatBytes(integer(bridgeTypes.indexOf(type), 1), integer(port, 2), text(host)),
    ),
    integer(pivot.debugMode ? 1 : 0, 1),
    list(pivot.args, text),

    quorum(manifestSet),
    quorum(shareSet),

    bytes(enclave.pcr0),
    bytes(enclave.pcr1),
    bytes(enclave.pcr2),
    bytes(enclave.pcr3),
    bytes(enclave.awsRootCertificate),
    text(enclave.qosCommit),

    integer(patchSet.threshold, 4),
    list(patchSet.members, ({ pubKey }) => bytes(pubKey)),
  );
}

const quorum = ({ threshold, members }: Quorum): Uint8Array =>
  concatBytes(
    integer(threshold, 4),
    list(members, ({ alias, pubKey }) => concatBytes(text(alias), bytes(pubKey))),
  );

function list<Item>(items: readonly Item[], encode: (item: Item) => Uint8Array): Uint8Array {
  return concatBytes(integer(items.length, 4), ...items.map((item) => encode(item)));
}

function text(value: string): Uint8Array {
  const encoded = utf8(value);
  return concatBytes(integer(encoded.length, 4), encoded);
}

function bytes(digits: string): Uint8Array {
  const decoded = decode(digits);
  return concatBytes(integer(decoded.length, 4), decoded);
}

function fixedBytes(digits: string, length: number): Uint8Array {
  const decoded = decode(digits);
  assert(decoded.length === length, `${length} bytes are expected`);
  return decoded;
}

function decode(digits: string): Uint8Array {
  const decoded = bytesOfHex(digits);
  assert(decoded !== undefined, 'bytes of a manifest are hex');
  return decoded;
}

/** Returns an integer of this many bytes, little-endian. */
function integer(value: number, length: 1 | 2 | 4): Uint8Array {
  assert(Number.isInteger(value) && value >= 0 && value < 256 ** length, 'a number fits');
  const encoded = new Uint8Array(length);
  for (let i = 0; i < length; i += 1) encoded[i] = Math.floor(value / 256 ** i);
  return encoded;
}
