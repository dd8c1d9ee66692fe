// Downloads the receipt of an activity, and shows the command that verifies it without the service.

import { useState } from 'preact/hooks';
import { Button } from '../../components/button.tsx';
import { Copyable } from '../../components/small.tsx';
import { Problem, Section } from '../../components/states.tsx';
import { t } from '../../messages/text.ts';
import { announce } from '../service/announcements.ts';
import { downloadText } from '../service/download.ts';
import { useSession } from '../session/context.ts';

export function Receipt({ activityId }: { readonly activityId: string }) {
  const { client } = useSession();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<Error>();
  const [isWhole, setWhole] = useState(true);
  // The last digits are random, and differ between the activities of a folder.
  const file = `receipt-${activityId.slice(-12)}.json`;
  const download = async () => {
    setBusy(true);
    setError(undefined);
    try {
      const { receipt } = await client.query('get_receipt', { activityId });
      downloadText(file, `${JSON.stringify(receipt, undefined, 2)}\n`);
      setWhole(receipt.record !== undefined);
      announce(t('receipt.downloaded'));
    } catch (failure) {
      setError(failure instanceof Error ? failure : new Error(String(failure)));
    }
    setBusy(false);
  };
  return (
    <Section
      title={t('receipt.heading')}
      actions={
        <Button isBusy={isBusy} onClick={() => void download()}>
          {t('receipt.download')}
        </Button>
      }
    >
      {error && <Problem error={error} onAgain={() => void download()} />}
      {!isWhole && <p class="hint">{t('receipt.digestOnly')}</p>}
      <p>{t('receipt.shows')}</p>
      <p>{t('receipt.doesNotShow')}</p>
      <p>{t('receipt.verify')}</p>
      <Copyable text={`keywright verify receipt ${file} --trust policy.txt`} />
      <p class="hint">{t('receipt.policy')}</p>
    </Section>
  );
}
