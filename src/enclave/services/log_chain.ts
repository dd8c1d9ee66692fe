// Reads the chain of an organization's entries and the proof of its end.

import { publicSha256 } from '../../core/crypto/hashes.ts';
import { commitmentOf } from '../../core/log/entry.ts';
import { leafHash } from '../../core/log/inclusion.ts';
import { textOfMapEntry, textOfMapValue } from '../../core/log/map.ts';
import { textOfProof } from '../../core/log/proof_writer.ts';
import type { LogChain } from '../../operations/proofs/receipt_source.ts';
import { readMapPath } from '../records/log_map.ts';
import { entriesOfOpenings, type LogRows, logHeadPlace } from '../records/log_rows.ts';
import { refuseRecord } from '../records/record_codec.ts';
import type { CosignedCheckpoint } from './log_cosigned.ts';
import type { KnownHead, LogState } from './log_state.ts';
import { proveEntry } from './prove_entry.ts';

/** Number of openings in one read. */
const pageLength = 4;
/** A page ends once it has this number of entries. The last openings can add at most the same number. */
const leastEntries = 512;

/** Returns entries after a cursor, oldest first. The last page includes the proof of the end. */
export async function readChain(
  rows: LogRows,
  { state, cosigned }: { readonly state: LogState; readonly cosigned: CosignedCheckpoint },
  organizationId: string,
  cursor: string,
): Promise<LogChain> {
  const head = await state.read();
  const entries: LogChain['entries'][number][] = [];
  let after = cursor;
  while (entries.length < leastEntries) {
    const [openings, ...others] = await rows.openingsAfter(organizationId, after, pageLength);
    if (openings === undefined) return { entries, ...(head && (await endOf(head))) };
    for (const each of [openings, ...others]) {
      if (entries.length >= leastEntries) break;
      for (const [place, { text, salt }] of entriesOfOpenings(organizationId, each).entries()) {
        entries.push({ index: each.index + place, entry: text, salt: salt.toBase64() });
      }
      after = each.id;
    }
  }
  return { entries, nextCursor: after };

  async function endOf({ version, head }: KnownHead) {
    const { size, map } = head;
    if (map === undefined) return {};
    const { value, pages } = await readMapPath(rows, map.root, organizationId);
    if (value === undefined) return {};
    const mapEntry = textOfMapEntry(Uint8Array.fromHex(map.root));
    const leaf = leafHash(publicSha256, commitmentOf(publicSha256, new Uint8Array(0), mapEntry));
    const shown = await proveEntry(rows, { leaf, index: size - 1, size });
    if (shown === undefined) return refuseRecord(logHeadPlace(version));
    return {
      end: {
        mapState: textOfMapValue(value),
        pages: pages.map((page) => page.toBase64()),
        mapEntry,
        proof: textOfProof({ index: size - 1, hashes: shown, note: cosigned.noteOf(head) }),
      },
    };
  }
}
