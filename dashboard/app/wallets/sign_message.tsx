// Dialog "Sign a message". The service signs the message, and the page verifies the signature.

import { useState } from 'preact/hooks';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { SelectField, TextField } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { Icon } from '../../components/icons.tsx';
import { Copyable, Terms } from '../../components/small.tsx';
import { t } from '../../messages/text.ts';
import type { Account } from '../service/reads.ts';
import { requestOf, useWrite } from '../service/write.ts';
import { formatText } from './kinds.ts';
import type { MessageStandard } from './message_standards.ts';

type Signed = {
  readonly signature: string;
  readonly standard: string;
  readonly address: string;
  readonly isVerified: boolean;
};

/** Address formats with a message standard. */
const readable = ['ADDRESS_FORMAT_ETHEREUM', 'ADDRESS_FORMAT_SOLANA', 'ADDRESS_FORMAT_TRON'];

export function SignMessage(props: {
  readonly accounts: readonly Account[];
  readonly onClose: () => void;
}) {
  const { accounts, onClose } = props;
  const fitting = accounts.filter(({ addressFormat }) => readable.includes(addressFormat));
  const write = useWrite();
  const [address, setAddress] = useState(fitting[0]?.address ?? '');
  const [message, setMessage] = useState('');
  const [signed, setSigned] = useState<Signed>();
  const account = fitting.find((each) => each.address === address);
  const standardOf = async () => {
    const { messageStandards } = await import('./message_standards.ts');
    // The form offers only accounts of formats with a standard.
    return messageStandards[account?.addressFormat ?? ''] as MessageStandard;
  };
  const request = async () => {
    const standard = await standardOf();
    return requestOf('sign_raw_payload', { signWith: address, ...standard.request(message) });
  };
  const sign = async () => {
    const standard = await standardOf();
    const outcome = await write.ask(await request(), t('wallets.signed'));
    if (outcome === undefined) return;
    if (outcome.outcome !== 'done') return onClose();
    const isVerified = await standard.verify(message, outcome.result, address);
    setSigned({
      signature: standard.write(outcome.result),
      standard: standard.name,
      address,
      isVerified,
    });
  };
  if (fitting.length === 0) {
    return (
      <Dialog title={t('wallets.signMessage')} onClose={onClose}>
        <p>{t('wallets.noMessages')}</p>
        <Button onClick={onClose}>{t('action.close')}</Button>
      </Dialog>
    );
  }
  return (
    <Dialog title={t('wallets.signMessage')} onClose={onClose}>
      <Form
        write={write}
        request={request}
        submitLabel={t('action.sign')}
        onSubmit={() => void sign()}
        onCancel={onClose}
      >
        <SelectField
          label={t('wallets.signWith')}
          value={address}
          options={fitting.map((each) => ({
            value: each.address,
            label: `${formatText(each.addressFormat)} ${each.address}`,
          }))}
          onChange={(next) => {
            setAddress(next);
            setSigned(undefined);
          }}
        />
        <TextField
          label={t('wallets.message')}
          value={message}
          rows={3}
          required
          autoFocus
          onInput={(text) => {
            setMessage(text);
            setSigned(undefined);
          }}
        />
        {signed && <Signature signed={signed} />}
      </Form>
    </Dialog>
  );
}

function Signature({ signed }: { readonly signed: Signed }) {
  const { signature, standard, address, isVerified } = signed;
  return (
    <>
      <Terms
        rows={[
          { term: t('wallets.signature'), value: <Copyable text={signature} /> },
          { term: t('wallets.standard'), value: standard },
        ]}
      />
      {isVerified ? (
        <p role="status" class="verified">
          <Icon name="check" />
          <span>{t('wallets.verified', { address })}</span>
        </p>
      ) : (
        <p role="alert" class="alert">
          {t('wallets.notVerified', { address })}
        </p>
      )}
    </>
  );
}
