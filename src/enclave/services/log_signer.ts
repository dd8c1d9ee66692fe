// The key of the log: Ed25519, derived from the root key. Each log has its own name, and so its own key id.

import { concatBytes } from '../../core/base/bytes.ts';
import { ed25519 } from '../../core/crypto/ed25519.ts';
import { sha256 } from '../../core/crypto/hashes.ts';
import { verifyEd25519 } from '../../core/crypto/verify.ts';
import { fail } from '../../core/errors/errors.ts';
import {
  type Checkpoint,
  readCheckpoint,
  readNote,
  type VerifierKey,
  verifierKeyOf,
  verifyNote,
} from '../../core/log/note.ts';
import {
  signNote,
  textOfCheckpoint,
  textOfNote,
  textOfVerifierKey,
} from '../../core/log/note_writer.ts';
import type { RootKeys } from '../keys/root_keys.ts';

type LogSigner = {
  /** Returns the checkpoint of a tree as a signed note. */
  sign(tree: Checkpoint): string;
  /** Reads a note that this service signed. Raises `log_anchor_unreadable`. */
  checkpointIn(note: string | undefined): Checkpoint | undefined;
  verifierKey(origin: string): string;
};

export function createLogSigner(keys: RootKeys): LogSigner {
  function keyOf(name: string): VerifierKey {
    const publicKey = ed25519.publicKeyOf(keys.key('log_key', ''));
    return verifierKeyOf(sha256, { name, type: 'note', publicKey });
  }

  const sign = (message: Uint8Array): Uint8Array => {
    const { r, s } = ed25519.sign(keys.key('log_key', ''), message);
    return concatBytes(r, s);
  };

  return {
    sign: (tree) => {
      const text = textOfCheckpoint(tree);
      return textOfNote({ text, signatures: [signNote(text, keyOf(tree.origin), sign)] });
    },
    checkpointIn: (text) => {
      if (text === undefined) return undefined;
      const note = readNote(text);
      const checkpoint = note && readCheckpoint(note.text);
      if (note === undefined || checkpoint === undefined) return fail('log_anchor_unreadable');
      const verified = verifyNote(note, keyOf(checkpoint.origin), (signature, message, publicKey) =>
        verifyEd25519(publicKey, signature, message),
      );
      return typeof verified === 'string' ? fail('log_anchor_unreadable') : checkpoint;
    },
    verifierKey: (origin) => textOfVerifierKey(keyOf(origin)),
  };
}
