import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { Confirm } from '../../components/confirm.tsx';
import { Checkbox } from '../../components/field.tsx';
import { t } from '../../messages/text.ts';
import { hrefOf } from '../paths.ts';
import type { Request } from '../service/write.ts';

/**
 * Deletes a wallet or a private key after the user typed its name. The service deletes keys that were never
 * exported only if the request has `deleteWithoutExport`.
 */
export function DeleteHeld(props: {
  readonly name: string;
  readonly exported: boolean;
  readonly title: string;
  readonly text: string;
  readonly doneText: string;
  /** Path of the list screen, opened after the deletion. */
  readonly list: string;
  readonly requestWith: (options: { readonly deleteWithoutExport?: boolean }) => Request;
  readonly onClose: () => void;
}) {
  const { name, exported, title, text, doneText, list, requestWith, onClose } = props;
  const { route } = useLocation();
  const [isAnyway, setAnyway] = useState(false);
  const request = () => requestWith(isAnyway ? { deleteWithoutExport: true } : {});
  return (
    <Confirm
      title={title}
      text={text}
      name={name}
      request={request}
      said={doneText}
      onDone={() => route(hrefOf(list))}
      onClose={onClose}
    >
      {!exported && (
        <Checkbox label={t('custody.withoutExport')} checked={isAnyway} onChange={setAnyway} />
      )}
    </Confirm>
  );
}
