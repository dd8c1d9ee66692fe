import { useId, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { Checkbox, NameField, TextField } from '../../components/field.tsx';
import { RequestDialog } from '../../components/request_dialog.tsx';
import { t } from '../../messages/text.ts';
import { hrefOf } from '../paths.ts';
import { requestOf } from '../service/write.ts';
import { eventText, eventTypes } from './events.ts';

export function NewEndpoint({ onClose }: { readonly onClose: () => void }) {
  const { route } = useLocation();
  const hint = useId();
  const [url, setUrl] = useState('');
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState<readonly string[]>(['ACTIVITY_UPDATES']);
  const request = () =>
    requestOf('create_webhook_endpoint', {
      name,
      ...(url === '' ? {} : { url }),
      subscriptions: chosen.map((eventType) => ({ eventType })),
    });
  return (
    <RequestDialog
      title={t('webhooks.new')}
      request={request}
      said={t('webhooks.made', { name })}
      disabled={chosen.length === 0}
      onDone={(result) => route(hrefOf(`/webhooks/${result.endpointId}`))}
      onClose={onClose}
    >
      <TextField
        label={t('webhooks.url')}
        hint={t('webhooks.urlHint')}
        value={url}
        onInput={setUrl}
        maxLength={2048}
        autoFocus
        isCode
      />
      <NameField label={t('webhooks.name')} value={name} onInput={setName} />
      <fieldset aria-describedby={hint}>
        <legend>{t('webhooks.events')}</legend>
        <div class="stack">
          {eventTypes.map((type) => (
            <Checkbox
              key={type.name}
              label={eventText(type.name)}
              checked={chosen.includes(type.name)}
              onChange={(isChosen) =>
                setChosen(
                  eventTypes
                    .map((each) => each.name)
                    .filter((each) => (each === type.name ? isChosen : chosen.includes(each))),
                )
              }
            />
          ))}
        </div>
        <p id={hint} class="hint">
          {t('webhooks.eventsHint')}
        </p>
      </fieldset>
    </RequestDialog>
  );
}
