import { useState } from 'preact/hooks';
import { Confirm } from '../../components/confirm.tsx';
import { TextField } from '../../components/field.tsx';
import { RequestDialog } from '../../components/request_dialog.tsx';
import { t } from '../../messages/text.ts';
import { shown } from '../service/activity_text.ts';
import type { AddressLabel } from '../service/reads.ts';
import { requestOf } from '../service/write.ts';

/** Shows the dialog "Add address". Creates the label if it does not exist. */
export function AddAddress(props: {
  readonly labels: readonly AddressLabel[];
  readonly onClose: () => void;
}) {
  const { labels, onClose } = props;
  const [label, setLabel] = useState('');
  const [address, setAddress] = useState('');
  const [name, setName] = useState('');
  const request = () => {
    const known = labels.find((row) => row.label === label);
    const addresses = [{ address: address.trim(), ...(name === '' ? {} : { name }) }];
    return known === undefined
      ? requestOf('create_address_label', { label, addresses })
      : requestOf('update_address_label', {
          addressLabelId: known.addressLabelId,
          addAddresses: addresses,
        });
  };
  return (
    <RequestDialog
      title={t('addresses.add')}
      request={request}
      said={t('addresses.added', { label })}
      submitLabel={t('addresses.add')}
      onClose={onClose}
    >
      <TextField
        label={t('addresses.label')}
        hint={t('addresses.labelHint')}
        value={label}
        onInput={setLabel}
        maxLength={64}
        required
        autoFocus
      />
      <TextField
        label={t('addresses.address')}
        value={address}
        onInput={setAddress}
        maxLength={100}
        isCode
        required
      />
      <TextField
        label={t('addresses.name')}
        hint={t('addresses.nameHint')}
        value={name}
        onInput={setName}
        maxLength={255}
      />
    </RequestDialog>
  );
}

/** Shows the dialog "Remove address", which removes one address of a label. */
export function RemoveAddress(props: {
  readonly label: AddressLabel;
  readonly address: string;
  readonly onClose: () => void;
}) {
  const { label: of, address, onClose } = props;
  const label = shown(of.label);
  const request = () =>
    requestOf('update_address_label', {
      addressLabelId: of.addressLabelId,
      removeAddresses: [address],
    });
  return (
    <Confirm
      title={t('addresses.removeTitle')}
      text={t('addresses.removeNamed', { address: shown(address), label })}
      name={of.label}
      request={request}
      said={t('addresses.removed', { label })}
      submitLabel={t('addresses.remove')}
      onClose={onClose}
    />
  );
}

/** Shows the dialog "Delete label". The table offers it only for labels without addresses. */
export function DeleteLabel(props: { readonly label: AddressLabel; readonly onClose: () => void }) {
  const { label: of, onClose } = props;
  const label = shown(of.label);
  const request = () => requestOf('delete_address_label', { addressLabelId: of.addressLabelId });
  return (
    <Confirm
      title={t('addresses.deleteNamed', { label })}
      text={t('addresses.deleteText')}
      name={of.label}
      request={request}
      said={t('addresses.deleted', { label })}
      onClose={onClose}
    />
  );
}
