// The parts of the security core, and the tests that should notice a fault in each. The slow tests run
// last, and the first failure ends the run of a fault.

export type Area = {
  /** Patterns of source files. */
  readonly sources: readonly string[];
  /** Patterns of test files. None of them may need another machine, a browser or a server. */
  readonly tests: readonly string[];
  /** The test files among them that take many seconds. */
  readonly slow?: readonly string[];
};

export const areas: Readonly<Record<string, Area>> = {
  stamps: {
    sources: [
      'src/core/auth/attested_stamp.ts',
      'src/core/auth/webauthn/authenticator_data.ts',
      'src/core/auth/webauthn/client_data.ts',
      'src/core/auth/client_signature.ts',
      'src/core/auth/webauthn/cose_key.ts',
      'src/core/auth/stamp.ts',
      'src/core/auth/webauthn/{assertion,registration,stamp}.ts',
      'src/pipeline/{verify_stamp,verify_id_token,authenticate,find_caller}.ts',
      'src/pipeline/parse_body.ts',
    ],
    tests: [
      'test/core/auth/*.test.ts',
      'test/pipeline/*.test.ts',
      'test/operations/sessions/*.test.ts',
      'test/operations/authenticators/*.test.ts',
      'test/operations/one_time_codes/otp_login.test.ts',
      'test/operations/oauth/*.test.ts',
      'test/operations/oauth_providers/*.test.ts',
      'test/hostile/{access,stamps,credentials,bodies}.test.ts',
    ],
    slow: [
      'test/core/auth/webauthn_mutations.test.ts',
      'test/pipeline/random_input.test.ts',
      'test/hostile/*.test.ts',
    ],
  },
  policy: {
    sources: [
      'src/core/policy/decision/*.ts',
      'src/core/policy/language/{clause,comparison,compiler,lambda,path}.ts',
    ],
    tests: [
      'test/core/policy/**/*.test.ts',
      'test/pipeline/*.test.ts',
      'test/operations/policies/*.test.ts',
      'test/operations/signing/{sign_raw_payload,signing_facts,transaction_policies}.test.ts',
      'test/votes/{earlier_rows,what_counts}.test.ts',
      'test/hostile/access.test.ts',
    ],
    slow: [
      'test/core/policy/decision_cost.test.ts',
      'test/core/policy/language/{cron_span,fuzz}.test.ts',
      'test/pipeline/random_input.test.ts',
      'test/hostile/*.test.ts',
    ],
  },
  limits: {
    sources: ['src/core/policy/policies.ts', 'src/core/policy/velocity/*.ts'],
    tests: [
      'test/core/policy/policies.test.ts',
      'test/core/policy/velocity/*.test.ts',
      'test/limits/{counting,examples}.test.ts',
      'test/operations/limits.test.ts',
      'test/operations/{policies,velocity_controls}/*.test.ts',
    ],
  },
  consensus: {
    sources: [
      'src/core/activity/votes.ts',
      'src/core/mfa/mfa.ts',
      'src/pipeline/{authorize,carry_out,mfa_statuses,prepare_waiting,record,recorded_votes}.ts',
      'src/pipeline/{refused_activity,submission,token_uses,vote,voting_rights}.ts',
    ],
    tests: [
      'test/operations/activities/*.test.ts',
      'test/pipeline/*.test.ts',
      'test/enclave/stage_times.test.ts',
      'test/core/activity/votes.test.ts',
      'test/core/mfa/*.test.ts',
      'test/operations/mfa_policies/*.test.ts',
      'test/operations/{sessions,session_profiles}/*.test.ts',
      'test/operations/one_time_codes/otp_login.test.ts',
      'test/operations/oauth/{create_oauth2_credential,oauth_login}.test.ts',
      'test/operations/oauth_providers/registering_identity.test.ts',
      'test/operations/proofs/{get_boot_proof,votes_and_proofs}.test.ts',
      'test/operations/organizations/delete_sub_organization.test.ts',
      'test/operations/sending/asked_nodes.test.ts',
      'test/operations/signing/sign_transaction.test.ts',
      'test/votes/{earlier_rows,limits,prepared_once,voting_again,what_counts}.test.ts',
      'test/freezes/{stopped,votes}.test.ts',
      'test/external_keys/{decisions,sends}.test.ts',
    ],
    slow: [
      'test/freezes/stopped.test.ts',
      'test/operations/activities/{explain_activity,list_activities,list_activities_filters}.test.ts',
      'test/pipeline/random_input.test.ts',
    ],
  },
  sessions: {
    sources: [
      'src/core/auth/tokens/*.ts',
      'src/core/users/{bundled_sessions,read_only_session,sessions}.ts',
    ],
    tests: [
      'test/core/auth/tokens/*.test.ts',
      'test/core/users/*.test.ts',
      'test/operations/sessions/*.test.ts',
      'test/pipeline/sessions.test.ts',
      'test/pipeline/ip_allowlist.test.ts',
      'test/operations/one_time_codes/*.test.ts',
      'test/operations/oauth/*.test.ts',
      'test/operations/api_keys/*.test.ts',
    ],
  },
  store: {
    sources: [
      'src/store/addition.ts',
      'src/store/commits/batch.ts',
      'src/store/sqlite/{store,writes}.ts',
      'src/store/tables/{refusal,steps}.ts',
    ],
    tests: [
      'test/store/{addition,batch,refusal,sqlite,group_commit,steps}.test.ts',
      'test/enclave/records/repository.test.ts',
    ],
  },
  sealing: {
    sources: [
      'src/core/crypto/aead.ts',
      'src/enclave/keys/*.ts',
      'src/enclave/records/{change_writer,completeness,derived_keys,record_codec,repository}.ts',
    ],
    tests: [
      'test/core/crypto/aead.test.ts',
      'test/enclave/keys/*.test.ts',
      'test/enclave/records/*.test.ts',
      'test/enclave/services/*.test.ts',
      'test/enclave/*.test.ts',
      'test/operations/wallets/*.test.ts',
      'test/operations/organizations/update_organization_name.test.ts',
    ],
  },
};
