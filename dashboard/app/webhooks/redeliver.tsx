// Dialog "Redeliver": sends a range of events again, by their numbers.

import { useState } from 'preact/hooks';
import { Dialog } from '../../components/dialog.tsx';
import { TextField } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { t } from '../../messages/text.ts';
import { requestOf, useWrite } from '../service/write.ts';

export function RedeliverRange(props: {
  readonly endpointId: string;
  readonly onClose: () => void;
}) {
  const { endpointId, onClose } = props;
  const write = useWrite();
  const [first, setFirst] = useState('');
  const [last, setLast] = useState('');
  const request = () =>
    requestOf('redeliver_webhook_events', {
      endpointId,
      firstSequence: first,
      lastSequence: last,
    });
  const send = async () => {
    const outcome = await write.ask(request(), (done) =>
      t('webhooks.redelivered', {
        count: done.outcome === 'done' ? done.result.eventCount : '0',
      }),
    );
    if (outcome !== undefined) onClose();
  };
  return (
    <Dialog title={t('webhooks.redeliver')} onClose={onClose}>
      <p class="hint">{t('webhooks.redeliverHint')}</p>
      <Form
        write={write}
        request={request}
        submitLabel={t('webhooks.redeliver')}
        onSubmit={() => void send()}
        onCancel={onClose}
      >
        <TextField
          label={t('webhooks.first')}
          type="number"
          value={first}
          onInput={setFirst}
          required
          autoFocus
        />
        <TextField
          label={t('webhooks.last')}
          type="number"
          value={last}
          onInput={setLast}
          required
        />
      </Form>
    </Dialog>
  );
}
