// Shows names in place of ids. The ids stay one click away.

import { t } from '../../messages/text.ts';
import { jsonText } from '../activities/json_text.ts';
import { shown } from '../service/activity_text.ts';
import { hasId, withNames } from './named_ids.ts';
import { noNames, useNames } from './names.ts';

/** Shows a text with names in place of ids. */
export function Named({ text }: { readonly text: string }) {
  return <>{withNames(shown(text), useNames().data ?? noNames)}</>;
}

/** Shows JSON with names in place of ids, and the exact text on a click. */
export function NamedJson({ value }: { readonly value: unknown }) {
  const names = useNames().data ?? noNames;
  const text = typeof value === 'string' ? shown(value) : jsonText(value);
  return (
    <>
      <pre>{withNames(text, names)}</pre>
      {hasId(text) && (
        <details>
          <summary>{t('action.exact')}</summary>
          <pre>{text}</pre>
        </details>
      )}
    </>
  );
}
