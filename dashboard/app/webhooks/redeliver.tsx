// Dialog "Redeliver": sends a range of events again, by their numbers.

import { useState } from 'preact/hooks';
import { TextField } from '../../components/field.tsx';
import { RequestDialog } from '../../components/request_dialog.tsx';
import { t } from '../../messages/text.ts';
import { requestOf } from '../service/write.ts';

export function RedeliverRange(props: {
  readonly endpointId: string;
  readonly onClose: () => void;
}) {
  const { endpointId, onClose } = props;
  const [first, setFirst] = useState('');
  const [last, setLast] = useState('');
  const request = () =>
    requestOf('redeliver_webhook_events', {
      endpointId,
      firstSequence: first,
      lastSequence: last,
    });
  return (
    <RequestDialog
      title={t('webhooks.redeliver')}
      request={request}
      said={(done) =>
        t('webhooks.redelivered', {
          count: done.outcome === 'done' ? done.result.eventCount : '0',
        })
      }
      submitLabel={t('webhooks.redeliver')}
      onClose={onClose}
    >
      <p class="hint">{t('webhooks.redeliverHint')}</p>
      <TextField
        label={t('webhooks.first')}
        type="number"
        value={first}
        onInput={setFirst}
        required
        autoFocus
      />
      <TextField label={t('webhooks.last')} type="number" value={last} onInput={setLast} required />
    </RequestDialog>
  );
}
