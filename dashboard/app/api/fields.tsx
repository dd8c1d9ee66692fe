// A form for a JSON schema. Each edit creates a new value, which the JSON view shows too.

import type { ComponentChildren } from 'preact';
import { Button } from '../../components/button.tsx';
import { SelectField, TextField } from '../../components/field.tsx';
import { number, t } from '../../messages/text.ts';
import { exampleOf, kindOf, type Schema } from './operations.ts';

type FieldsProps = {
  readonly schema: Schema;
  readonly value: unknown;
  /** Undefined removes the member. */
  readonly onChange: (value: unknown) => void;
};

/** Shows a field for each member of an object, with its title and description. */
export function ObjectFields({ schema, value, onChange }: FieldsProps) {
  const { properties = {}, required = [] } = schema;
  const members = asObject(value);
  return (
    <>
      {Object.entries(properties).map(([name, member]) => (
        <Member
          key={name}
          name={name}
          schema={member}
          isRequired={required.includes(name)}
          value={members[name]}
          onChange={(next) => {
            const { [name]: _before, ...others } = members;
            onChange(
              next === undefined ? others : inOrder({ ...others, [name]: next }, properties),
            );
          }}
        />
      ))}
    </>
  );
}

type MemberProps = FieldsProps & { readonly name: string; readonly isRequired: boolean };

function Member(props: MemberProps) {
  const { name, schema, isRequired, value, onChange } = props;
  const { title = name, description = '' } = schema;
  const hint = isRequired ? description : t('api.optional', { description });
  switch (kindOf(schema)) {
    case 'object':
      return (
        <Group title={title} hint={hint}>
          {value === undefined ? (
            <Button icon="plus" onClick={() => onChange(exampleOf(schema))}>
              {t('api.add', { title })}
            </Button>
          ) : (
            <>
              <ObjectFields schema={schema} value={value} onChange={onChange} />
              {!isRequired && (
                <Button onClick={() => onChange(undefined)}>{t('api.remove', { title })}</Button>
              )}
            </>
          )}
        </Group>
      );
    case 'array':
      return <ListFields {...props} title={title} hint={hint} />;
    default:
      return <ScalarField {...props} title={title} hint={hint} />;
  }
}

function ListFields(props: MemberProps & { readonly title: string; readonly hint: string }) {
  const { title, hint, schema, isRequired, value, onChange } = props;
  const items = Array.isArray(value) ? value : [];
  const item = schema.items ?? {};
  const replaced = (at: number, next: unknown) =>
    next === undefined ? items.toSpliced(at, 1) : items.with(at, next);
  const change = (next: readonly unknown[]) =>
    onChange(next.length === 0 && !isRequired ? undefined : next);
  return (
    <Group title={title} hint={hint}>
      {items.map((each, at) => (
        <div key={at} class="item">
          {kindOf(item) === 'object' ? (
            <Group title={t('api.item', { title, number: number(at + 1) })} hint="">
              <ObjectFields
                schema={item}
                value={each}
                onChange={(next) => change(replaced(at, next))}
              />
            </Group>
          ) : (
            <ScalarField
              name={title}
              title={t('api.item', { title, number: number(at + 1) })}
              hint={item.description ?? ''}
              schema={item}
              isRequired
              value={each}
              onChange={(next) => change(replaced(at, next ?? ''))}
            />
          )}
          <Button onClick={() => change(items.toSpliced(at, 1))}>
            {t('api.remove', { title: t('api.item', { title, number: number(at + 1) }) })}
          </Button>
        </div>
      ))}
      <Button icon="plus" onClick={() => change([...items, exampleOf(item)])}>
        {t('api.add', { title })}
      </Button>
    </Group>
  );
}

/** Maximum length of a text in a single-line field. Fields of longer texts have several lines. */
const lineLength = 500;

function ScalarField(props: MemberProps & { readonly title: string; readonly hint: string }) {
  const { title, hint, schema, isRequired, value, onChange } = props;
  const kind = kindOf(schema);
  const choices = kind === 'boolean' ? ['true', 'false'] : schema.enum;
  if (choices !== undefined) {
    const options = choices.map((each) => ({ value: each, label: each }));
    const none = { value: '', label: t('api.none') };
    return (
      <SelectField
        label={title}
        hint={hint}
        value={value === undefined ? '' : String(value)}
        options={isRequired ? options : [none, ...options]}
        onChange={(next) => {
          if (next === '') onChange(undefined);
          else onChange(kind === 'boolean' ? next === 'true' : next);
        }}
      />
    );
  }
  const maximum = Number(schema['maxLength'] ?? 0);
  return (
    <TextField
      label={title}
      hint={hint}
      value={value === undefined ? '' : String(value)}
      isCode={maximum > lineLength}
      {...(maximum > lineLength ? { rows: 3 } : {})}
      {...(kind === 'integer' ? { inputMode: 'numeric' as const } : {})}
      onInput={(text) => {
        if (text === '' && !isRequired) onChange(undefined);
        else onChange(kind === 'integer' && /^-?\d+$/.test(text) ? Number(text) : text);
      }}
    />
  );
}

function Group(props: {
  readonly title: string;
  readonly hint: string;
  readonly children: ComponentChildren;
}) {
  const { title, hint, children } = props;
  return (
    <fieldset class="content">
      <legend>{title}</legend>
      {hint !== '' && <p class="hint">{hint}</p>}
      {children}
    </fieldset>
  );
}

const asObject = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};

/** Returns the members in the order of the schema, followed by unknown members. */
function inOrder(members: Readonly<Record<string, unknown>>, properties: object) {
  const known = Object.keys(properties).filter((name) => Object.hasOwn(members, name));
  const others = Object.keys(members).filter((name) => !known.includes(name));
  return Object.fromEntries([...known, ...others].map((name) => [name, members[name]]));
}
