// Checks orders for a holder of keys: the enclave signed each, and each is valid once and for a time.

import { bytesOfHex, hex, utf8 } from '../../core/base/bytes.ts';
import type { CurveName } from '../../core/base/enums.ts';
import { sha256 } from '../../core/crypto/hashes.ts';
import { maximumOrderedSignatures, orderLifeMs } from '../../core/keys/external_bounds.ts';
import {
  externalCurves,
  isOrderOf,
  isOrderType,
  type SigningOrder,
} from '../../core/keys/external_keys.ts';
import { isJsonObject, type Json, parsedJson } from '../../core/schema/json.ts';

export type AcceptedOrder = {
  readonly organizationId: string;
  readonly curve: CurveName;
  readonly publicKey: string;
  readonly signedBytes: readonly Uint8Array[];
  readonly fingerprint: string;
};

export type Refused = { readonly refusal: string };

/** Maximum remembered orders. Further orders are rejected, so that none is forgotten before it expires. */
const maximumRemembered = 100_000;
/** Maximum clock difference between two machines, in milliseconds. */
const clockDifferenceMs = 30_000;

/** Creates the check of orders. Each order is accepted once. */
export function createOrders(
  authority: Uint8Array,
  clock: () => number,
): (signed: SigningOrder) => AcceptedOrder | Refused {
  /** Expiry of the accepted orders by digest, oldest first. */
  const accepted = new Map<string, number>();

  function forgetExpired(now: number): void {
    for (const [digest, forgetAtMs] of accepted) {
      if (forgetAtMs > now) return;
      accepted.delete(digest);
    }
  }

  return (signed) => {
    if (!isOrderOf(authority, signed)) return { refusal: 'the order is not by the service' };
    const order = readOrder(signed.order);
    if (order === undefined) return { refusal: 'the order is of another version' };
    const now = clock();
    const { expiresAtMs } = order;
    if (now >= expiresAtMs) return { refusal: 'the order has expired' };
    if (expiresAtMs > now + orderLifeMs + clockDifferenceMs) {
      return { refusal: 'the order is of the future: the clocks differ' };
    }
    forgetExpired(now);
    const digest = hex(sha256(utf8(signed.order)));
    if (accepted.has(digest)) return { refusal: 'the order was followed before' };
    if (accepted.size >= maximumRemembered) return { refusal: 'there are too many orders' };
    // A fixed time, so that entries expire in the order of the map.
    accepted.set(digest, now + orderLifeMs + clockDifferenceMs);
    return order;
  };
}

function readOrder(text: string): (AcceptedOrder & { readonly expiresAtMs: number }) | undefined {
  const order = parsedJson(text);
  if (!isJsonObject(order) || !isOrderType(order['type'])) return undefined;
  const { organizationId, publicKey, fingerprint, expiresAtMs, signedBytes } = order;
  const curve = externalCurves.find((each) => each === order['curve']);
  const bytes = bytesOfList(signedBytes);
  if (curve === undefined || bytes === undefined || typeof expiresAtMs !== 'number') {
    return undefined;
  }
  if (typeof organizationId !== 'string' || typeof publicKey !== 'string') return undefined;
  if (typeof fingerprint !== 'string') return undefined;
  return { organizationId, publicKey, fingerprint, expiresAtMs, curve, signedBytes: bytes };
}

function bytesOfList(list: Json | undefined): readonly Uint8Array[] | undefined {
  if (!Array.isArray(list) || list.length > maximumOrderedSignatures) return undefined;
  const all = list.flatMap((each) => {
    const bytes = typeof each === 'string' ? bytesOfHex(each) : undefined;
    return bytes === undefined ? [] : [bytes];
  });
  return all.length === list.length && all.length > 0 ? all : undefined;
}
