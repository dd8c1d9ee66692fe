// Descriptions reported by a service, for people who review a request on their own machine. A false report
// can mislead about labels, so the explanation contains the digest of each description.

import { parsedDescriptions } from '../../contracts/description.ts';
import { textDigest } from '../../contracts/smart_contract_interfaces.ts';
import { ServiceError } from '../../errors/errors.ts';
import type { Descriptions } from '../described.ts';

/** A row of `list_smart_contract_interfaces`. */
type ReportedInterface = { readonly type: string; readonly smartContractInterface: string };

/**
 * Returns the readable descriptions among the interfaces of an organization, newest first; undefined if there
 * is none. Interfaces are listed oldest first.
 */
export function reportedDescriptions(
  interfaces: readonly ReportedInterface[],
  nameOf: Descriptions['nameOf'],
): Descriptions | undefined {
  const texts = interfaces.flatMap(({ type, smartContractInterface: text }) => {
    if (type !== 'SMART_CONTRACT_INTERFACE_TYPE_ERC7730') return [];
    const stored = { digest: textDigest(text), text };
    return isReadable(stored) ? [stored] : [];
  });
  return texts.length === 0 ? undefined : { texts: texts.reverse(), nameOf };
}

function isReadable(stored: Descriptions['texts'][number]): boolean {
  try {
    parsedDescriptions.of(stored);
    return true;
  } catch (error) {
    if (error instanceof ServiceError || error instanceof SyntaxError) return false;
    throw error;
  }
}
