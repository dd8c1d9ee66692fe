// Section "Features": switches the features of the organization on and off.

import { useState } from 'preact/hooks';
import type { Submits } from '../../../src/client/generated/operations.ts';
import { Button } from '../../components/button.tsx';
import { Confirm } from '../../components/confirm.tsx';
import { SelectField, TextField } from '../../components/field.tsx';
import { RequestDialog } from '../../components/request_dialog.tsx';
import { Loaded, Section } from '../../components/states.tsx';
import { Table } from '../../components/table.tsx';
import { t } from '../../messages/text.ts';
import { shown } from '../service/activity_text.ts';
import { useConfigs } from '../service/reads.ts';
import { requestOf } from '../service/write.ts';

type Name = Submits['set_organization_feature']['parameters']['name'];

const names: readonly Name[] = [
  'FEATURE_NAME_AUTH_PROXY',
  'FEATURE_NAME_EMAIL_AUTH',
  'FEATURE_NAME_EMAIL_RECOVERY',
  'FEATURE_NAME_OTP_EMAIL_AUTH',
  'FEATURE_NAME_ROOT_USER_EMAIL_RECOVERY',
  'FEATURE_NAME_SMS_AUTH',
  'FEATURE_NAME_SOLANA_RENT_PREFUND_ENABLED',
  'FEATURE_NAME_WEBAUTHN_ORIGINS',
  'FEATURE_NAME_WEBHOOK',
];
const nameText = (name: Name): string => t(`feature.${name}`);

export function Features() {
  const configs = useConfigs();
  const [isSetting, setSetting] = useState(false);
  const [removed, setRemoved] = useState<Name>();
  return (
    <Section
      title={t('settings.features')}
      actions={
        <Button popup="dialog" onClick={() => setSetting(true)}>
          {t('settings.setFeature')}
        </Button>
      }
    >
      <Loaded read={configs}>
        {({ features }) => (
          <Table
            empty={<p class="hint">{t('settings.noFeatures')}</p>}
            name={t('settings.features')}
            rows={features}
            keyOf={({ name }) => name}
            columns={{
              [t('settings.feature')]: ({ name }) => nameText(name),
              [t('settings.value')]: ({ value = '' }) => shown(value),
              [t('action.actions')]: ({ name }) => (
                <Button
                  kind="quiet"
                  popup="dialog"
                  label={t('settings.removeFeature', { name: nameText(name) })}
                  onClick={() => setRemoved(name)}
                >
                  {t('action.remove')}
                </Button>
              ),
            }}
          />
        )}
      </Loaded>
      {isSetting && <SetFeature onClose={() => setSetting(false)} />}
      {removed && <RemoveFeature name={removed} onClose={() => setRemoved(undefined)} />}
    </Section>
  );
}

function SetFeature({ onClose }: { readonly onClose: () => void }) {
  const [name, setName] = useState<Name>('FEATURE_NAME_OTP_EMAIL_AUTH');
  const [value, setValue] = useState('');
  const request = () => requestOf('set_organization_feature', { name, value });
  return (
    <RequestDialog
      title={t('settings.setFeature')}
      request={request}
      said={t('settings.featureSet', { name: nameText(name) })}
      submitLabel={t('action.save')}
      onClose={onClose}
    >
      <SelectField
        label={t('settings.feature')}
        value={name}
        options={names.map((each) => ({ value: each, label: nameText(each) }))}
        onChange={setName}
      />
      <TextField
        label={t('settings.value')}
        hint={t('settings.valueHint')}
        value={value}
        onInput={setValue}
      />
    </RequestDialog>
  );
}

function RemoveFeature({ name, onClose }: { readonly name: Name; readonly onClose: () => void }) {
  const text = nameText(name);
  const request = () => requestOf('remove_organization_feature', { name });
  return (
    <Confirm
      title={t('settings.removeFeature', { name: text })}
      text={t('settings.removeFeatureLost')}
      name={text}
      request={request}
      said={t('settings.featureRemoved', { name: text })}
      submitLabel={t('action.remove')}
      onClose={onClose}
    />
  );
}
