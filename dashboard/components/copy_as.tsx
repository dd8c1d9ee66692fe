// "Copy as": copies a request for other tools in place of sending it.

import { useState } from 'preact/hooks';
import type { QueryName, SubmitName } from '../../src/client/connect.ts';
import { announce } from '../app/service/announcements.ts';
import { type Request, useWriter } from '../app/service/write.ts';
import { useSession } from '../app/session/context.ts';
import { t } from '../messages/text.ts';
import { Button } from './button.tsx';
import { asCommand, asCurl, asTypeScript, type Copied } from './copies.ts';
import { Problem } from './states.tsx';

/** Shows the copy buttons of a form, collapsed. */
export function CopyAs(props: {
  readonly request: () => Request | Promise<Request>;
  readonly disabled: boolean;
}) {
  const { request, disabled } = props;
  const [error, setError] = useState<Error>();
  const run = async (copy: () => Promise<string>) => {
    setError(undefined);
    try {
      await copy();
    } catch (failure) {
      setError(failure instanceof Error ? failure : new Error(String(failure)));
    }
  };
  return (
    <details>
      <summary>{t('copyAs.title')}</summary>
      <div class="content">
        <div class="buttons">
          <CopyButtons
            request={async () => ({ kind: 'submit', ...(await request()) })}
            disabled={disabled}
            run={(copy) => void run(copy)}
          />
        </div>
        <p class="hint">{t('api.curlHint')}</p>
        {error && <Problem error={error} />}
      </div>
    </details>
  );
}

/** Shows one button for each tool. `run` calls its argument, which copies, and shows the result. */
export function CopyButtons(props: {
  readonly request: () => Copied | Promise<Copied>;
  readonly disabled: boolean;
  readonly run: (copy: () => Promise<string>) => void;
}) {
  const { request, disabled, run } = props;
  const { client, organizationId } = useSession();
  const { writer } = useWriter();
  const formats = [
    [t('api.copyCli'), asCommand],
    [
      t('api.copyCurl'),
      // The types cannot relate a name to its parameters here; the service checks them by the schema.
      async ({ kind, name, parameters }: Copied) =>
        asCurl(
          kind === 'query'
            ? await client.stamped(kind, name as QueryName, parameters as never)
            : await (await writer()).stamped(kind, name as SubmitName, parameters as never),
        ),
    ],
    [
      t('api.copyTypeScript'),
      (copied: Copied) => asTypeScript(copied, { url: client.url, organizationId }),
    ],
  ] as const;
  return (
    <>
      {formats.map(([label, textOf]) => (
        <Button
          key={label}
          icon="copy"
          disabled={disabled}
          onClick={(form) =>
            (form?.reportValidity() ?? true) &&
            run(async () => {
              const text = await textOf(await request());
              await navigator.clipboard.writeText(text);
              announce(t('action.copied'));
              return text;
            })
          }
        >
          {label}
        </Button>
      ))}
    </>
  );
}
