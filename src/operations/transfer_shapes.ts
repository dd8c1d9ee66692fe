// Shapes of exports and imports.

import { maximumMessageCharacters } from '../core/bundles/client_message.ts';
import { maximumTargetKeyCharacters } from '../core/bundles/target_key.ts';
import { maximumImportedBytes } from '../core/derivation/imported_sentence.ts';
import { answerText, object, text } from '../core/schema/schema.ts';

/** A P-256 public key in hex; core/bundles/target_key.ts has the accepted forms. */
export const targetPublicKey = () => text({ minimum: 1, maximum: maximumTargetKeyCharacters });

/** The content that a client sealed to the target of an import; see core/bundles/client_message.ts. */
export const encryptedBundle = () =>
  text({ minimum: 1, maximum: maximumMessageCharacters(maximumImportedBytes) });

/** A signed message with the public key of an import target. */
export const importBundleResult = () => object({ importBundle: answerText() });
