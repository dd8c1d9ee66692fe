// The values of typed data as a flat list, for people who review a request.

import { hex } from '../base/bytes.ts';
import type { TypedData } from './eip712.ts';
import type { TypedValue } from './eip712_values.ts';

/** One value of typed data. */
type TypedRow = {
  /** Begins with `domain` or `message`, as in `message.cc[0].wallet`. */
  readonly path: string;
  /** The type as the client declared it, for example `uint256`. */
  readonly type: string;
  /** Bytes and addresses are in hex. */
  readonly text: string;
};

/** Lists each value of the domain and of the message. Omits undeclared members, which are not signed. */
export function typedRows({
  domain,
  message,
}: Pick<TypedData, 'domain' | 'message'>): readonly TypedRow[] {
  return [...rowsOf('domain', domain), ...rowsOf('message', message)];
}

function rowsOf(path: string, value: TypedValue): readonly TypedRow[] {
  switch (value.kind) {
    case 'struct':
      return [...value.members].flatMap(([name, member]) => rowsOf(`${path}.${name}`, member));
    case 'list':
      return value.items.flatMap((item, i) => rowsOf(`${path}[${i}]`, item));
    case 'address':
    case 'bytes':
      return [{ path, type: value.type, text: `0x${hex(value.value)}` }];
    default:
      return [{ path, type: value.type, text: String(value.value) }];
  }
}
