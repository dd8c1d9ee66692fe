import { get_attestation } from './get_attestation.ts';
import { get_boot_proof } from './get_boot_proof.ts';
import { get_latest_boot_proof } from './get_latest_boot_proof.ts';
import { get_receipt } from './get_receipt.ts';
import { list_app_proofs } from './list_app_proofs.ts';
import { list_log_entries } from './list_log_entries.ts';

export const proofQueries = {
  get_attestation,
  get_boot_proof,
  get_latest_boot_proof,
  get_receipt,
  list_app_proofs,
  list_log_entries,
};
