// Screen "Secrets": stored texts with their properties, which policies can read.

import { useState } from 'preact/hooks';
import { Button } from '../../components/button.tsx';
import { Confirm } from '../../components/confirm.tsx';
import { later } from '../../components/later.tsx';
import { Screen } from '../../components/screen.tsx';
import { Time } from '../../components/small.tsx';
import { Empty, Loaded } from '../../components/states.tsx';
import { Table } from '../../components/table.tsx';
import { t } from '../../messages/text.ts';
import { NamingPolicies } from '../custody/naming_policies.tsx';
import { shown } from '../service/activity_text.ts';
import { useRead } from '../service/queries.ts';
import type { Secret } from '../service/reads.ts';
import { requestOf } from '../service/write.ts';
import { useSession } from '../session/context.ts';
import { ImportSecret } from './import_secret.tsx';
import { secretName } from './secret_texts.ts';

const ExportSecret = later(() => import('./export_secret.tsx'));
const pageSize = 100;

type OpenDialog =
  | 'import'
  | { readonly action: 'export' | 'delete'; readonly secret: Secret }
  | undefined;

export default function Secrets() {
  const { client } = useSession();
  const [count, setCount] = useState(pageSize);
  const [openDialog, setOpenDialog] = useState<OpenDialog>();
  const secrets = useRead(
    ['secrets', count],
    async (signal) => {
      const rows: Secret[] = [];
      for await (const row of client.pages('list_secrets', {}, { signal })) {
        rows.push(row);
        if (rows.length > count) break;
      }
      return rows;
    },
    { keepsPrevious: true },
  );
  const close = () => setOpenDialog(undefined);
  const button = (
    <Button kind="primary" popup="dialog" onClick={() => setOpenDialog('import')}>
      {t('secrets.import')}
    </Button>
  );
  return (
    <Screen heading={t('screen.secrets')} actions={secrets.data?.length === 0 ? undefined : button}>
      <Loaded read={secrets}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty text={t('secrets.empty')} more={t('secrets.emptyText')}>
              {button}
            </Empty>
          ) : (
            <SecretTable
              rows={rows.slice(0, count)}
              onMore={rows.length > count ? () => setCount(count + pageSize) : undefined}
              onOpen={setOpenDialog}
            />
          )
        }
      </Loaded>
      <NamingPolicies title={t('secrets.policies')} words={['secret.']} />
      {openDialog === 'import' && <ImportSecret onClose={close} />}
      {typeof openDialog === 'object' && openDialog.action === 'export' && (
        <ExportSecret secret={openDialog.secret} onClose={close} />
      )}
      {typeof openDialog === 'object' && openDialog.action === 'delete' && (
        <DeleteSecret secret={openDialog.secret} onClose={close} />
      )}
    </Screen>
  );
}

function SecretTable(props: {
  readonly rows: readonly Secret[];
  readonly onMore: (() => void) | undefined;
  readonly onOpen: (dialog: OpenDialog) => void;
}) {
  const { rows, onMore, onOpen } = props;
  const actionButton = (secret: Secret, action: 'export' | 'delete') => (
    <Button
      kind="quiet"
      popup="dialog"
      label={t(`secrets.${action}Named`, { name: shown(secretName(secret)) })}
      onClick={() => onOpen({ action, secret })}
    >
      {t(action === 'export' ? 'custody.export' : 'action.delete')}
    </Button>
  );
  return (
    <Table
      name={t('screen.secrets')}
      rows={rows}
      keyOf={({ secretId }) => secretId}
      onMore={onMore}
      columns={{
        [t('secrets.secret')]: (secret) => shown(secretName(secret)),
        [t('secrets.properties')]: ({ staticProperties }) =>
          staticProperties.map(({ key, value }) => (
            <div key={key}>
              <code>{shown(`${key} = ${value}`)}</code>
            </div>
          )),
        [t('wallets.created')]: ({ createdAtUnixMs }) => <Time ms={Number(createdAtUnixMs)} />,
        [t('action.actions')]: (secret) => (
          <div class="buttons">
            {actionButton(secret, 'export')}
            {actionButton(secret, 'delete')}
          </div>
        ),
      }}
    />
  );
}

function DeleteSecret({
  secret,
  onClose,
}: {
  readonly secret: Secret;
  readonly onClose: () => void;
}) {
  const name = secretName(secret);
  const request = () => requestOf('delete_secrets', { secretIds: [secret.secretId] });
  return (
    <Confirm
      title={t('secrets.deleteNamed', { name: shown(name) })}
      text={t('secrets.deleteLost')}
      name={name}
      request={request}
      said={t('secrets.deleted', { name: shown(name) })}
      onClose={onClose}
    />
  );
}
