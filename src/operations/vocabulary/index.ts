// A title and a description for every member of requests and answers, for documents, forms and help. The
// enclave only validates, and does not load them.

import type { TSchema } from '../../core/schema/schema.ts';
import { addressBookTexts } from './address_book.ts';
import { authenticationTexts } from './authentication.ts';
import { chainHistoryTexts } from './chain_history.ts';
import { deploymentTexts } from './deployments.ts';
import { freezeTexts } from './freezes.ts';
import { keyTexts } from './keys.ts';
import { marketTexts } from './markets.ts';
import type { MemberText, MemberTexts } from './member_text.ts';
import { organizationKeyTexts } from './organization_keys.ts';
import { organizationTexts } from './organizations.ts';
import { policyTexts } from './policies.ts';
import { sendTexts } from './sends.ts';
import { serviceTexts } from './services.ts';
import { userTexts } from './users.ts';
import { velocityControlTexts } from './velocity_controls.ts';

const vocabularies: readonly MemberTexts[] = [
  organizationTexts,
  userTexts,
  authenticationTexts,
  keyTexts,
  policyTexts,
  serviceTexts,
  deploymentTexts,
  velocityControlTexts,
  freezeTexts,
  organizationKeyTexts,
  addressBookTexts,
  sendTexts,
  chainHistoryTexts,
  marketTexts,
];

/** The texts of all parts, by name; each name stands once. */
export const namedTexts = vocabularies
  .flatMap((texts) => Object.entries(texts))
  .flatMap(([names, text]) => names.split(' ').map((name) => [name, text] as const));

const rows = new Map(namedTexts);

/** Abbreviations in names, written in upper case in titles. */
const abbreviations = new Set(['aaguid', 'api', 'id', 'mfa', 'oidc', 'sms', 'uri', 'url']);

/** Returns title and description of a row; undefined without a row. */
function textOf(key: string): MemberText | undefined {
  const row = rows.get(key);
  if (typeof row !== 'string') return row;
  const name = key.split(/[.>?<=]/).at(-1) ?? '';
  const [title] = (name === key ? undefined : textOf(name)) ?? [titleOf(name)];
  return [title, row];
}

/** Returns the words of a name: `User name` for `userName`. */
function titleOf(name: string): string {
  const words = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).split(' ');
  const title = words
    .map((word) => (abbreviations.has(word) ? word.toUpperCase() : word))
    .join(' ')
    .replace(/\bids\b/, 'IDs');
  return `${title.slice(0, 1).toUpperCase()}${title.slice(1)}`;
}

/** The schema of an operation that contains a member. */
export type SchemaPart = 'parameters' | 'result' | 'body' | 'response';

const signs: Readonly<Record<SchemaPart, string>> = {
  parameters: '>',
  result: '<',
  body: '?',
  response: '=',
};

/** The position of a member. `owner` is its parent member, undefined at the top. */
export type MemberPlace = {
  readonly operation: string;
  readonly part: SchemaPart;
  readonly owner: string | undefined;
  readonly name: string;
};

/** Returns the lookup keys of a member, most specific first. */
export function keysOf({ operation, part, owner, name }: MemberPlace): readonly string[] {
  const specific = owner === undefined ? `${operation}${signs[part]}${name}` : `${owner}.${name}`;
  return [specific, name];
}

/** Returns title and description of a member; undefined if missing, which a test rejects. */
export function memberText(place: MemberPlace): MemberText | undefined {
  for (const key of keysOf(place)) {
    const text = textOf(key);
    if (text !== undefined) return text;
  }
  return undefined;
}

type ObjectSchema = {
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly items?: TSchema;
};

/**
 * Returns the same schema with `title` and `description` on every member, at all depths. `owner` names the
 * member whose schema it is; undefined at the top.
 */
export function described(
  operation: string,
  part: SchemaPart,
  schema: TSchema,
  owner?: string,
): TSchema {
  const below = (of: TSchema, ownerOf: string | undefined): TSchema => {
    const { properties, items }: ObjectSchema = of;
    return {
      ...of,
      ...(items === undefined ? {} : { items: below(items, ownerOf) }),
      ...(properties === undefined
        ? {}
        : {
            properties: Object.fromEntries(
              Object.entries(properties).map(([name, member]) => [
                name,
                withText(
                  below(member, name),
                  memberText({ operation, part, owner: ownerOf, name }),
                ),
              ]),
            ),
          }),
    };
  };
  return below(schema, owner);
}

function withText(schema: TSchema, text: MemberText | undefined): TSchema {
  if (text === undefined) return schema;
  const [title, sentence] = text;
  const { description }: { readonly description?: string } = schema;
  // The description of a schema's own form follows the sentence.
  const form = description === undefined ? '' : ` ${asSentence(description)}`;
  return { ...schema, title, description: `${sentence}${form}` };
}

function asSentence(words: string): string {
  const start = `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
  return start.endsWith('.') ? start : `${start}.`;
}
