import { t } from '../../messages/text.ts';
import { ExportDialog } from '../custody/export_dialog.tsx';
import { shown } from '../service/activity_text.ts';
import type { Secret } from '../service/reads.ts';
import { encryptionSuite, secretName } from './secret_texts.ts';

/** Shows the dialog "Export secret". The export contains the text unchanged. */
export default function ExportSecret(props: {
  readonly secret: Secret;
  readonly onClose: () => void;
}) {
  const { secret, onClose } = props;
  const name = secretName(secret);
  return (
    <ExportDialog
      title={t('secrets.exportNamed', { name: shown(name) })}
      name={name}
      holds="secret"
      label={t('secrets.text')}
      ask={(client, targetPublicKey) => {
        const asked = { secretId: secret.secretId, targetPublicKey, encryptionSuite } as const;
        return client.ask('export_secrets', { secrets: [asked] });
      }}
      bundleOf={({ secretPayloads }) => secretPayloads[0]}
      textOf={(plaintext) => new TextDecoder().decode(plaintext)}
      contentOf={(text) => text}
      onClose={onClose}
    />
  );
}
