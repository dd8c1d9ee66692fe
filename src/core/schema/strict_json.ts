import { textOfUtf8 } from '../base/bytes.ts';
import { isJsonObject, type JsonObject, parsedJson } from './json.ts';

/** Maximum nesting; tokens and key sets stay far below. */
const maximumDepth = 32;

/**
 * Parses UTF-8 bytes as a JSON object without duplicate members, on whose values two parsers may disagree
 * (RFC 8259 section 4). Returns undefined for all other bytes, for more than 32 levels, and for a lone
 * surrogate.
 */
export function strictJsonObject(bytes: Uint8Array): JsonObject | undefined {
  const text = textOfUtf8(bytes);
  const value = text === undefined ? undefined : parsedJson(text);
  if (text === undefined || !isJsonObject(value)) return undefined;
  return hasOneOfEach(text) ? value : undefined;
}

/** Returns true if no object of valid JSON has a duplicate member. Strings and brackets mark the names. */
function hasOneOfEach(text: string): boolean {
  const open: Set<string>[] = [];
  for (const [token, name] of text.matchAll(/"(?:[^"\\]|\\.)*"(?=([ \t\r\n]*:)?)|[{}[\]]/g)) {
    if (token === '{' || token === '[') open.push(new Set());
    else if (token === '}' || token === ']') open.pop();
    else {
      const decoded = String(JSON.parse(token));
      const names = open.at(-1);
      const isRepeated = name !== undefined && names?.has(decoded) === true;
      if (isRepeated || !decoded.isWellFormed()) return false;
      if (name !== undefined) names?.add(decoded);
    }
    if (open.length > maximumDepth) return false;
  }
  return true;
}
