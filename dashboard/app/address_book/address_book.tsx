// Screen "Address book": labels with addresses. Approvers see the labels, and policies refer to them.

import { useState } from 'preact/hooks';
import { Button } from '../../components/button.tsx';
import { Screen } from '../../components/screen.tsx';
import { Copyable } from '../../components/small.tsx';
import { Empty, Loaded } from '../../components/states.tsx';
import { Table } from '../../components/table.tsx';
import { t } from '../../messages/text.ts';
import { NamingPolicies } from '../custody/naming_policies.tsx';
import { shown } from '../service/activity_text.ts';
import { type AddressLabel, useAddressLabels } from '../service/reads.ts';
import { AddAddress, DeleteLabel, RemoveAddress } from './address_dialogs.tsx';

/** An address with its label. A label without addresses has one row without `address`. */
type Row = {
  readonly of: AddressLabel;
  readonly address?: string | undefined;
  readonly name?: string | undefined;
};
type OpenDialog = 'add' | Row | undefined;

export default function AddressBook() {
  const labels = useAddressLabels();
  const [openDialog, setOpenDialog] = useState<OpenDialog>();
  const close = () => setOpenDialog(undefined);
  const button = (
    <Button kind="primary" popup="dialog" onClick={() => setOpenDialog('add')}>
      {t('addresses.add')}
    </Button>
  );
  return (
    <Screen
      heading={t('screen.addresses')}
      actions={labels.data?.length === 0 ? undefined : button}
    >
      <Loaded read={labels}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty text={t('addresses.empty')} more={t('addresses.emptyText')}>
              {button}
            </Empty>
          ) : (
            <AddressTable rows={rows.flatMap(rowsOf)} onOpen={setOpenDialog} />
          )
        }
      </Loaded>
      <NamingPolicies title={t('addresses.policies')} words={['address_book.']} />
      {openDialog === 'add' && <AddAddress labels={labels.data ?? []} onClose={close} />}
      {typeof openDialog === 'object' &&
        (openDialog.address === undefined ? (
          <DeleteLabel label={openDialog.of} onClose={close} />
        ) : (
          <RemoveAddress label={openDialog.of} address={openDialog.address} onClose={close} />
        ))}
    </Screen>
  );
}

const rowsOf = (of: AddressLabel): readonly Row[] =>
  of.addresses.length === 0 ? [{ of }] : of.addresses.map((entry) => ({ of, ...entry }));

function AddressTable(props: {
  readonly rows: readonly Row[];
  readonly onOpen: (dialog: OpenDialog) => void;
}) {
  const { rows, onOpen } = props;
  return (
    <Table
      name={t('screen.addresses')}
      rows={rows}
      keyOf={({ of, address = '' }) => `${of.addressLabelId}/${address}`}
      columns={{
        [t('addresses.label')]: ({ of }) => shown(of.label),
        [t('addresses.address')]: ({ address }) =>
          address === undefined ? t('addresses.none') : <Copyable text={shown(address)} />,
        [t('addresses.name')]: ({ name = '' }) => shown(name),
        [t('action.actions')]: (row) => {
          const { of, address } = row;
          const isLabel = address === undefined;
          return (
            <Button
              kind="quiet"
              popup="dialog"
              label={
                isLabel
                  ? t('addresses.deleteNamed', { label: shown(of.label) })
                  : t('addresses.removeNamed', {
                      address: shown(address),
                      label: shown(of.label),
                    })
              }
              onClick={() => onOpen(row)}
            >
              {t(isLabel ? 'action.delete' : 'addresses.remove')}
            </Button>
          );
        },
      }}
    />
  );
}
