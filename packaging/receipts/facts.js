// The facts of a verified receipt, in readable form.

/** Escapes control, invisible and bidirectional characters, which could alter the text around them. */
export const visible = (text) =>
  String(text).replace(
    /[\p{C}\p{Zl}\p{Zp}\p{DI}]/gu,
    (character) => `\\u{${character.codePointAt(0).toString(16)}}`,
  );

/** Returns names and values in display order. Each value is a list of lines. */
export function factsOf(verified) {
  return rowsOf(verified).map(([name, ...lines]) => [name, lines.map(visible)]);
}

function rowsOf({ entry, activity, log, index, size, witnesses, boot, cannotShow }) {
  const { votes = [], decisions = [] } = activity ?? {};
  return [
    ['Activity', entry.activityId],
    ['Organization', entry.organizationId],
    ['Type', activity?.type ?? 'not in the receipt'],
    ['Status', entry.status],
    ['At', new Date(entry.atMs).toISOString()],
    ...votes.map(({ userId, selection, publicKey, isSignatureVerified, message }, i) => {
      const signature = isSignatureVerified ? 'verified' : 'not verified';
      const lines = [`user ${userId}`, selection, `key ${publicKey}, ${signature}`, message];
      return [i === 0 ? 'Request' : `Vote ${i}`, ...lines];
    }),
    ...decisions.map(({ vote, policies }) => {
      const name = `Policies at ${vote === 0 ? 'the request' : `vote ${vote ?? '?'}`}`;
      return [name, ...(policies?.map(lineOf) ?? ['not in the receipt'])];
    }),
    ['Result', activity === undefined ? 'not in the receipt' : JSON.stringify(activity.result)],
    ['Log', `${log}, entry ${index} of ${size}, number ${entry.number} of the organization`],
    ['Enclave', ...(boot === undefined ? ['not in the receipt'] : enclaveOf(boot))],
    ['Witnesses', witnesses.length === 0 ? 'none' : witnesses.join(' ')],
    ['Does not show', ...cannotShow],
  ];
}

function enclaveOf({ attestationKey, statement }) {
  const { version, sourcesDigest, startedAtMs } = statement;
  const started = new Date(Number(startedAtMs)).toISOString();
  const lines = [`version ${version}`, `program ${sourcesDigest}`, `started ${started}`];
  return [...lines, `attestation key ${attestationKey}`];
}

function lineOf({ policyId, outcome, text }) {
  return `${outcome}: ${text ?? `policy ${policyId}, whose text is not in the receipt`}`;
}
