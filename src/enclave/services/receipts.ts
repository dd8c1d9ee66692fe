// Receipts: the entry of an activity in the log, and the text that the entry commits to.

import { publicSha256Hex } from '../../core/crypto/hashes.ts';
import { readEntry } from '../../core/log/entry.ts';
import { textOfProof } from '../../core/log/proof_writer.ts';
import type { ReceiptSource } from '../../operations/proofs/receipt_source.ts';
import type { StorePort } from '../../store/port.ts';
import { type RecordCodec, refuseRecord } from '../records/record_codec.ts';
import type { DeploymentLog } from './log.ts';

export function createReceipts({
  store,
  codec,
  log,
}: {
  readonly store: Pick<StorePort, 'activity'>;
  readonly codec: RecordCodec;
  readonly log: Pick<DeploymentLog, 'proofOf' | 'chainOf'>;
}): ReceiptSource {
  return {
    chainOf: log.chainOf,
    receiptOf: async (activity) => {
      const { organizationId, id, version } = activity;
      const proof = await log.proofOf(activity);
      const row = await store.activity({ organizationId, id });
      if (proof === undefined || row === undefined || row.version !== version) return undefined;
      const record = codec.activityText(organizationId, row);
      const { text, salt, index, hashes, note, run } = proof;
      // A row sealed for a commit that failed differs from the entry.
      if (readEntry(text)?.record !== publicSha256Hex(record)) {
        return refuseRecord({ organizationId, kind: 'activity', id, version });
      }
      return {
        entry: text,
        salt: salt.toBase64(),
        record,
        proof: textOfProof({ index, hashes, note }),
        ...run,
      };
    },
  };
}
