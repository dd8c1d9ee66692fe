// The command for each kind of holder. It signs its standard input.

import type { CurveName } from '../../core/base/enums.ts';
import { table } from '../../core/base/table.ts';
import type { KeyHolder } from '../../core/keys/external_keys.ts';
import type { JsonObject } from '../../core/schema/json.ts';

export type HolderTool = {
  /** The program with an absolute path, and its arguments. */
  readonly words: readonly string[];
  /** The encoding of the signature in the output. */
  readonly encoding: 'raw' | 'base64' | 'hex';
};

type HolderRow = {
  readonly curves: readonly CurveName[];
  readonly members: readonly string[];
  readonly optional: readonly string[];
  /** Returns undefined for an invalid member. */
  readonly tool: (members: JsonObject, curve: CurveName) => HolderTool | undefined;
};

const ecdsaCurves: readonly CurveName[] = ['CURVE_SECP256K1', 'CURVE_P256'];
const allCurves: readonly CurveName[] = [...ecdsaCurves, 'CURVE_ED25519'];

/** `pkcs11-tool` reads the PIN from the variable PKCS11_PIN, so that process lists do not show it. */
export const holderTools = table<HolderRow>()<KeyHolder>({
  pkcs11: {
    curves: allCurves,
    members: ['module', 'token', 'id'],
    optional: ['program'],
    tool: ({ module, token, id, program = '/usr/bin/pkcs11-tool' }, curve) => {
      if (!isPath(program) || !isPath(module) || !isWord(token) || !isHex(id)) return undefined;
      const mechanism = curve === 'CURVE_ED25519' ? 'EDDSA' : 'ECDSA';
      const key = ['--sign', '--mechanism', mechanism, '--id', id];
      const login = ['--token-label', token, '--login', '--pin', 'env:PKCS11_PIN'];
      return { words: [program, '--module', module, ...login, ...key], encoding: 'raw' };
    },
  },
  'aws-kms': {
    curves: ecdsaCurves,
    members: ['keyId'],
    optional: ['program'],
    tool: ({ keyId, program = '/usr/bin/aws' }) => {
      if (!isPath(program) || !isWord(keyId)) return undefined;
      const message = ['--message', 'fileb:///dev/stdin', '--message-type', 'DIGEST'];
      const algorithm = ['--signing-algorithm', 'ECDSA_SHA_256'];
      const output = ['--query', 'Signature', '--output', 'text'];
      const words = [program, 'kms', 'sign', '--key-id', keyId, ...message, ...algorithm];
      return { words: [...words, ...output], encoding: 'base64' };
    },
  },
  command: {
    curves: allCurves,
    members: ['command', 'encoding'],
    optional: [],
    tool: ({ command, encoding: named }) => {
      const encoding = (['raw', 'base64', 'hex'] as const).find((each) => each === named);
      if (!Array.isArray(command) || !command.every(isWord) || encoding === undefined) {
        return undefined;
      }
      return isPath(command[0]) && command.length <= 64 ? { words: command, encoding } : undefined;
    },
  },
});

const isWord = (value: unknown): value is string =>
  typeof value === 'string' && value.length > 0 && value.length <= 4_096 && !value.includes('\0');
const isPath = (value: unknown): value is string => isWord(value) && value.startsWith('/');
const isHex = (value: unknown): value is string =>
  typeof value === 'string' && /^([0-9a-fA-F]{2}){1,64}$/.test(value);
