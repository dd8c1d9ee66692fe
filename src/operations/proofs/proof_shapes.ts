import { appProofSchemes } from '../../core/organization/records/activity.ts';
import { answerText, object, oneOf, optional, text, timestamp } from '../../core/schema/schema.ts';

export const appProofShape = () =>
  object({
    scheme: oneOf(appProofSchemes),
    publicKey: answerText(),
    proofPayload: answerText(),
    signature: answerText(),
  });

export const bootProofShape = () =>
  object({
    ephemeralPublicKeyHex: answerText(),
    awsAttestationDocB64: noHardwareDocument(),
    qosManifestB64: answerText(),
    qosManifestEnvelopeB64: answerText(),
    deploymentLabel: answerText(),
    enclaveApp: answerText(),
    owner: answerText(),
    createdAt: timestamp(),
    qosManifestVersion: text({ maximum: 0 }),
    softwareStatement: softwareStatementShape(),
  });

/** Placeholder for the hardware's attestation document, which clients expect. */
export const noHardwareDocument = () => text({ maximum: 0 });

export const softwareStatementShape = () =>
  object(
    {
      statement: answerText(),
      scheme: answerText(),
      publicKey: answerText(),
      signature: answerText(),
      sources: optional(answerText()),
    },
    'It is no hardware attestation. Not part of the common interface.',
  );
