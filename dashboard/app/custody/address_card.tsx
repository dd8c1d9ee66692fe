// An address to copy and to scan. The page first derives it from the public key.

import type { ComponentChildren } from 'preact';
import { Icon } from '../../components/icons.tsx';
import { QrCode } from '../../components/qr_code.tsx';
import { Copyable, type Term, Terms } from '../../components/small.tsx';
import { Loaded } from '../../components/states.tsx';
import { t } from '../../messages/text.ts';
import { useRead } from '../service/queries.ts';

type Claim = {
  readonly address: string;
  readonly format: string;
  readonly publicKey: string | undefined;
};

/** Shows an address. Offers no QR code and no copy button if the key does not derive the address. */
export function AddressCard(props: {
  readonly claim: Claim;
  readonly children?: ComponentChildren;
  readonly terms?: readonly Term[];
}) {
  const { claim, children, terms = [] } = props;
  const { address } = claim;
  const read = useRead(['address', claim], () => belongs(claim));
  return (
    <Loaded read={read}>
      {(isOfKey) => (
        <>
          {!isOfKey ? (
            <div role="alert" class="alert">
              <Icon name="warning" />
              <div>
                <p>{t('address.other')}</p>
                <p class="code">{address}</p>
              </div>
            </div>
          ) : (
            <>
              <QrCode text={address} />
              <Copyable text={address} label={t('action.copyAddress')} />
              {isOfKey === true ? (
                <p class="verified">
                  <Icon name="check" />
                  <span>{t('address.belongs')}</span>
                </p>
              ) : (
                <p class="hint">{t('address.unchecked')}</p>
              )}
            </>
          )}
          {children}
          {terms.length > 0 && <Terms rows={terms} />}
        </>
      )}
    </Loaded>
  );
}

/** Derives the address from the public key. Returns `unknown` if this page cannot derive it. */
async function belongs({ address, format, publicKey }: Claim): Promise<boolean | 'unknown'> {
  // The code that derives addresses needs `Uint8Array.fromHex`.
  if (publicKey === undefined || !('fromHex' in Uint8Array)) return 'unknown';
  const { isAddressOfKey } = await import('../../../src/core/address/key_of_address.ts');
  return isAddressOfKey({ address, publicKey }, format) ?? 'unknown';
}
