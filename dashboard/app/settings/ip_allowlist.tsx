// Section "IP allowlist": the networks from which the organization accepts requests.

import { useState } from 'preact/hooks';
import type { Queries } from '../../../src/client/generated/operations.ts';
import { Button } from '../../components/button.tsx';
import { Confirm } from '../../components/confirm.tsx';
import { Checkbox, SelectField, TextField } from '../../components/field.tsx';
import { RequestDialog } from '../../components/request_dialog.tsx';
import { Loaded, Section } from '../../components/states.tsx';
import { Table } from '../../components/table.tsx';
import { t } from '../../messages/text.ts';
import { shown } from '../service/activity_text.ts';
import { useQuery } from '../service/reads.ts';
import { requestOf } from '../service/write.ts';

type Allowlist = Queries['get_ip_allowlist']['result']['allowlist'];

export function IpAllowlist() {
  const [openDialog, setOpenDialog] = useState<'change' | 'remove'>();
  const read = useQuery(['ip allowlist'], 'get_ip_allowlist', ({ allowlist }) => allowlist);
  const close = () => setOpenDialog(undefined);
  const hasRules = (read.data?.rules.length ?? 0) > 0;
  return (
    <Section
      title={t('settings.ip')}
      actions={
        read.data && (
          <div class="buttons">
            <Button popup="dialog" onClick={() => setOpenDialog('change')}>
              {t('settings.changeIp')}
            </Button>
            {hasRules && (
              <Button kind="danger" popup="dialog" onClick={() => setOpenDialog('remove')}>
                {t('settings.removeIp')}
              </Button>
            )}
          </div>
        )
      }
    >
      <Loaded read={read}>{(allowlist) => <Rules allowlist={allowlist} />}</Loaded>
      {read.data && openDialog === 'change' && <ChangeIp allowlist={read.data} onClose={close} />}
      {openDialog === 'remove' && <RemoveIp onClose={close} />}
    </Section>
  );
}

function Rules({ allowlist }: { readonly allowlist: Allowlist }) {
  const { rules, enabled = false, onEvaluationError } = allowlist;
  if (rules.length === 0) return <p class="hint">{t('settings.ipAll')}</p>;
  return (
    <>
      <p>
        {t(enabled ? 'settings.ipOn' : 'settings.ipOff')}{' '}
        {t(onEvaluationError === 'ALLOW' ? 'settings.ipUnknownAllow' : 'settings.ipUnknownDeny')}
      </p>
      <Table
        name={t('settings.ip')}
        rows={rows(rules)}
        keyOf={({ cidr }) => cidr}
        columns={{
          [t('settings.network')]: ({ cidr }) => <code>{cidr}</code>,
          [t('settings.label')]: ({ label = '' }) => shown(label),
        }}
      />
    </>
  );
}

const rows = (rules: Allowlist['rules']) => rules.map(({ cidr, label }) => ({ cidr, label }));

/** Parses lines like `192.0.2.0/24 office`. The service checks the networks. */
function rulesIn(text: string) {
  const lines = text.split('\n').map((line) => line.trim());
  return lines
    .filter((line) => line !== '')
    .map((line) => {
      const [cidr = '', ...words] = line.split(/\s+/);
      return words.length === 0 ? { cidr } : { cidr, label: words.join(' ') };
    });
}

function ChangeIp(props: { readonly allowlist: Allowlist; readonly onClose: () => void }) {
  const { allowlist, onClose } = props;
  const [text, setText] = useState(
    allowlist.rules.map(({ cidr, label = '' }) => `${cidr} ${label}`.trim()).join('\n'),
  );
  const [enabled, setEnabled] = useState(
    allowlist.rules.length === 0 || allowlist.enabled === true,
  );
  const [onEvaluationError, setUnknown] = useState(allowlist.onEvaluationError);
  const rules = rulesIn(text);
  const request = () => requestOf('set_ip_allowlist', { enabled, rules, onEvaluationError });
  return (
    <RequestDialog
      title={t('settings.changeIp')}
      request={request}
      said={t('settings.ipChanged')}
      submitLabel={t('action.save')}
      disabled={rules.length === 0}
      onClose={onClose}
    >
      <TextField
        label={t('settings.networks')}
        hint={t('settings.networksHint')}
        value={text}
        onInput={setText}
        rows={5}
        isCode
        required
        autoFocus
      />
      <Checkbox label={t('settings.ipEnabled')} checked={enabled} onChange={setEnabled} />
      <SelectField
        label={t('settings.ipUnknown')}
        value={onEvaluationError}
        options={[
          { value: 'DENY', label: t('decision.deny') },
          { value: 'ALLOW', label: t('decision.allow') },
        ]}
        onChange={setUnknown}
      />
    </RequestDialog>
  );
}

function RemoveIp({ onClose }: { readonly onClose: () => void }) {
  const request = () => requestOf('remove_ip_allowlist', {});
  return (
    <Confirm
      title={t('settings.removeIp')}
      text={t('settings.removeIpLost')}
      name={t('settings.ip')}
      request={request}
      said={t('settings.ipRemoved')}
      submitLabel={t('action.remove')}
      onClose={onClose}
    />
  );
}
