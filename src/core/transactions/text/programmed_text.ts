// Texts that programs act on as soon as they are signed: requests to wallet services, transactions of Cosmos
// chains, tokens, and rights that a sign-in grants.

import { bytesOfBase64url, textOfUtf8 } from '../../base/bytes.ts';
import type { Warning } from '../../organization/records/transaction_explanation.ts';
import { quotedText, shownText } from './shown_text.ts';

/** The meaning of a text for programs. */
type Meaning = {
  /** Sentences about content that the text encodes. */
  readonly contents: readonly string[];
  readonly warnings: readonly Warning[];
};

/** Longer texts are not parsed. Explanations show only their start, with a warning. */
const maximumParsed = 20_000;
const maximumShown = 1_000;
const maximumTypes = 10;

/** Returns the meaning of a text for programs; empty for other texts. */
export function meaningOf(text: string): Meaning {
  const found =
    text.length > maximumParsed
      ? []
      : [...(rightsIn(text) ?? []), ...(tokenIn(text) ?? []), ...(documentIn(text) ?? [])];
  return {
    contents: found.flatMap(({ content }) => content ?? []),
    warnings: found.map(({ warning }) => warning),
  };
}

type Part = { readonly warning: Warning; readonly content?: string };

const unknown = (text: string): Warning => ({ code: 'UNKNOWN_PAYLOAD', text });

/** Reads the rights in a sign-in (ERC-5573). */
function rightsIn(text: string): readonly Part[] | undefined {
  const [, encoded] = /^- urn:recap:([\w+/=-]+)$/m.exec(text) ?? [];
  if (encoded === undefined) return undefined;
  const rights = textOf(encoded);
  const warning = 'The sign-in also grants rights that its statement may not name (ReCap).';
  return [
    {
      warning: { code: 'NEW_AUTHORITY', text: warning },
      ...(rights === undefined
        ? {}
        : { content: `Its rights: ${quotedText(rights, maximumShown)}` }),
    },
  ];
}

/** Reads the signed part of a JSON Web Token: header and claims in base64url (RFC 7515). */
function tokenIn(text: string): readonly Part[] | undefined {
  const [, header = '', claims = ''] = /^([\w-]+)\.([\w-]*)$/.exec(text) ?? [];
  if (typeof jsonOf(textOf(header) ?? '')?.members['alg'] !== 'string') return undefined;
  const content = textOf(claims);
  return [
    {
      warning: unknown(
        'The message is a token (JWT) without its signature. Once signed, it may log in or grant rights.',
      ),
      ...(content === undefined
        ? {}
        : { content: `Claims of the token: ${quotedText(content, maximumShown)}` }),
    },
  ];
}

function documentIn(text: string): readonly Part[] | undefined {
  const document = jsonOf(text);
  return document && (requestIn(document) ?? cosmosIn(document.members));
}

type Members = Readonly<Record<string, unknown>>;
/** A JSON object, and its text without escapes of usual characters. */
type Document = { readonly members: Members; readonly text: string };

/** Recognizes requests to this service and to similar services: activities, queries, logins and sign-ups. */
function requestIn({ members, text }: Document): readonly Part[] | undefined {
  const [, name] = /"((?:ACTIVITY|USAGE)_TYPE_[A-Z0-9_]+)"/.exec(text) ?? [];
  if (name === undefined && members['organizationId'] === undefined) return undefined;
  const what = name === undefined ? '' : ` (${shownText(name)})`;
  return [
    {
      warning: unknown(
        `The message is a request to a wallet service${what}, which may execute it with this signature.`,
      ),
    },
  ];
}

/** Recognizes the document that accounts of Cosmos chains sign (amino JSON). */
function cosmosIn({ chain_id, fee, msgs, sequence }: Members): readonly Part[] | undefined {
  if (typeof chain_id !== 'string' || !Array.isArray(msgs)) return undefined;
  if (fee === undefined || sequence === undefined) return undefined;
  const types = msgs.slice(0, maximumTypes).map((each: unknown) => {
    const isObject = typeof each === 'object' && each !== null && 'type' in each;
    // Objects without a form as text are valid JSON.
    return isObject && typeof each.type === 'string'
      ? shownText(each.type)
      : 'a message without a type';
  });
  const more = msgs.length > types.length ? `, and ${msgs.length - types.length} more` : '';
  return [
    {
      warning: unknown(
        `The message is a transaction of the chain ${quotedText(chain_id)} with ${types.join(', ')}${more}.`,
      ),
    },
  ];
}

/** Returns undefined for other texts, and for objects that nest too deep to be written again. */
function jsonOf(text: string): Document | undefined {
  if (!/^\s*\{/.test(text)) return undefined;
  try {
    const parsed: unknown = JSON.parse(text);
    const isObject = typeof parsed === 'object' && parsed !== null;
    return isObject ? { members: parsed as Members, text: JSON.stringify(parsed) } : undefined;
  } catch {
    return undefined;
  }
}

function textOf(encoded: string): string | undefined {
  const bytes = bytesOfBase64url(encoded);
  return bytes === undefined || bytes.length === 0 ? undefined : textOfUtf8(bytes);
}
