import { t } from '../../messages/text.ts';
import { useRead } from '../service/queries.ts';

/** Shows a fingerprint in groups of digits and as four words, to compare it between two devices. */
export function Fingerprint({ fingerprint }: { readonly fingerprint: string }) {
  const { data } = useRead(['spoken', fingerprint], async () => {
    const { groupedFingerprint, spokenFingerprint } = await import(
      '../../../src/core/derivation/spoken_fingerprint.ts'
    );
    return { digits: groupedFingerprint(fingerprint), words: spokenFingerprint(fingerprint) };
  });
  return (
    <>
      <span class="fingerprint">{data?.digits ?? fingerprint}</span>
      <br />
      <span class="words">{data?.words}</span>
      <br />
      <span class="hint">{t('approvals.wordsHint')}</span>
    </>
  );
}
