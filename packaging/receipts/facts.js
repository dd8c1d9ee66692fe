// The facts of a verified receipt, in readable form.

/** Returns names and values in display order. */
export function factsOf({ entry, activity, log, index, size, witnesses, boot, cannotShow }) {
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
      return [i === 0 ? 'Request' : `Vote ${i}`, lines.join('\n')];
    }),
    ...decisions.map(({ vote, policies }) => {
      const name = `Policies at ${vote === 0 ? 'the request' : `vote ${vote ?? '?'}`}`;
      return [name, policies?.map(lineOf).join('\n') ?? 'not in the receipt'];
    }),
    ['Result', activity === undefined ? 'not in the receipt' : JSON.stringify(activity.result)],
    ['Log', `${log}, entry ${index} of ${size}, number ${entry.number} of the organization`],
    ['Enclave', boot === undefined ? 'not in the receipt' : enclaveOf(boot)],
    ['Witnesses', witnesses.length === 0 ? 'none' : witnesses.join(' ')],
    ['Does not show', cannotShow.join('\n')],
  ];
}

function enclaveOf({ attestationKey, statement }) {
  const { version, sourcesDigest, startedAtMs } = statement;
  const started = new Date(Number(startedAtMs)).toISOString();
  const lines = [`version ${version}`, `program ${sourcesDigest}`, `started ${started}`];
  return [...lines, `attestation key ${attestationKey}`].join('\n');
}

function lineOf({ policyId, outcome, text }) {
  return `${outcome}: ${text ?? `policy ${policyId}, whose text is not in the receipt`}`;
}
