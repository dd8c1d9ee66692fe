export { get_attestation } from './get_attestation.ts';
export { get_boot_proof } from './get_boot_proof.ts';
export { get_latest_boot_proof } from './get_latest_boot_proof.ts';
export { get_receipt } from './get_receipt.ts';
export { list_app_proofs } from './list_app_proofs.ts';
export { list_log_entries } from './list_log_entries.ts';
