import { hexOf } from '../../../src/client/bytes.ts';
import { t } from '../../messages/text.ts';
import { ExportDialog } from '../custody/export_dialog.tsx';
import { shown } from '../service/activity_text.ts';
import type { PrivateKey } from '../service/reads.ts';

/** Shows the dialog "Export private key". The key is in hex; an Ed25519 key is its seed. */
export default function ExportPrivateKey(props: {
  readonly privateKey: PrivateKey;
  readonly onClose: () => void;
}) {
  const { privateKey, onClose } = props;
  const { privateKeyId, privateKeyName: name, curve, publicKey, addresses } = privateKey;
  return (
    <ExportDialog
      title={t('keys.exportNamed', { name: shown(name) })}
      name={name}
      holds="key"
      label={t('keys.key')}
      ask={(client, targetPublicKey) =>
        client.ask('export_private_key', { privateKeyId, targetPublicKey })
      }
      bundleOf={({ exportBundle }) => exportBundle}
      textOf={hexOf}
      contentOf={(digits) => {
        const members = { kind: 'key', name, privateKeyId, curve, publicKey, addresses };
        return JSON.stringify({ ...members, privateKey: digits });
      }}
      onClose={onClose}
    />
  );
}
