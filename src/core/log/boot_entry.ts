// The entry of an enclave run in the log: its boot statement. The verifier of receipts shares this file.

/** A boot statement (JSON), and its signature by the attestation key of the deployment (hex). */
export type SignedStatement = Readonly<Record<'statement' | 'publicKey' | 'signature', string>>;

export const bootKind = 'keywright-log-boot/v1';
const pattern = new RegExp(
  `^${bootKind}\nattestation ([0-9a-f]{130})\nsignature ([0-9a-f]{128})\n\n(.+)\n$`,
);

/** Parses the text of an entry. Returns undefined for a text that `textOfBoot` does not write. */
export function readBoot(text: string): SignedStatement | undefined {
  const [whole, publicKey = '', signature = '', statement = ''] = pattern.exec(text) ?? [];
  return whole === undefined ? undefined : { statement, publicKey, signature };
}

/** A run as a signer of notes. Its key is on P-256; C2SP notes define no type for such keys. */
export const runSigner = { name: 'keywright-run', type: 'note' } as const;
