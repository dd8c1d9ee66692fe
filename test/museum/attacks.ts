// Attacks that were tried on a running service, and the tests that show that they fail now. Reports of users
// of other wallets and signers, tried in the same way, follow in a table of their own.

export type TriedAttack = {
  readonly attack: string;
  /** The behaviour of the service that stops the attack. */
  readonly here: string;
  /** Files below `test/` with the titles of tests in them, as the sources spell them. */
  readonly tests: Readonly<Record<string, readonly string[]>>;
};

export const triedAttacks: readonly TriedAttack[] = [
  {
    attack: 'Pages of activities of megabytes fill the memory',
    here: 'Pages are bounded in bytes, and one request of an organization reads large activities at a time. Both processes stay below 512 MiB.',
    tests: {
      'e2e/large_pages.test.ts': [
        'all deliveries are listed with bodies and headers, in shorter pages',
        'forty concurrent lists are answered',
        'unread answers do not stay in the enclave',
      ],
      'enclave/services/webhook_events.test.ts': [
        'that wait store a large body once, and cause events with all of it',
      ],
    },
  },
  {
    attack:
      'Bodies of 400 kB fill the pipe to the enclave, so small requests of others wait behind them',
    here: 'One large request is on its way at a time. Smaller requests overtake the others.',
    tests: {
      'ipc/large_requests.test.ts': [
        'one large request is on its way at a time, and a small one overtakes the others',
      ],
    },
  },
  {
    attack: 'A database withholds the row of a parent in one read, so that its freeze is not seen',
    here: 'A child whose parent has no row is refused like an altered record, and its transactions are not released.',
    tests: {
      'freezes/withheld_parent.test.ts': [
        ' stops a child, though ',
        'a transaction is not released if the ',
      ],
    },
  },
  {
    attack:
      'A database withholds a row, so that a withdrawn webhook key signs again, or so that the parent misses transfers of its sub-organizations',
    here: 'Webhook keys need the first organization, and a block is not reported before the parent is read.',
    tests: {
      'enclave/withheld_organizations.test.ts': [
        ' does not restore a compromised webhook key',
        'a transaction under way is not missing because its row and its organization were withheld',
      ],
      'enclave/services/balances.test.ts': [
        'a block is not reported while the parent has no row in the database, from read ',
      ],
    },
  },
  {
    attack: 'One request holds the thread of the enclave in one piece',
    here: 'Long work runs in steps. `npm run stalls` measures every operation and fails above 25 ms.',
    tests: {
      'stalls/stalls.test.ts': [
        'large bodies, texts, interfaces and lists of keys are read and stored in many pieces',
        'no operation holds the thread for long, whatever body it accepts or refuses',
      ],
      'operations/long_requests.test.ts': [
        'others have their turn between signatures, and each payload has its own',
      ],
      'core/payload/eip712.test.ts': ['typed data of many values is hashed in steps, and once'],
      'core/schema/json_counts.test.ts': [
        'each part of a long string ends a step, whatever it escapes',
      ],
    },
  },
  {
    attack:
      'A thousand votes on one activity make each further vote hold the thread for 60 to 90 ms',
    here: 'An activity takes at most 300 votes. A vote does not store earlier voters and failures again, and webhook snapshots contain neither. The enclave writes long answers, and reads the users who voted, in steps.',
    tests: {
      'core/activity/stored_form.test.ts': [
        'a vote does not store earlier voters and failures again',
      ],
      'votes/limits.test.ts': [
        'an activity takes 300 votes while it waits; then it can only be decided',
      ],
      'votes/snapshots.test.ts': [
        'a snapshot repeats neither the voters nor the decisions of earlier votes',
      ],
      'core/schema/json_steps.test.ts': ['many short members together end a step'],
      'stalls/stalls.test.ts': [
        'large bodies, texts, interfaces and lists of keys are read and stored in many pieces',
      ],
    },
  },
  {
    attack: 'Policies of one organization evict the compiled policies of others',
    here: 'The organization with the most clauses makes room first.',
    tests: {
      'core/policy/language/compiled_clauses.test.ts': [
        'the owner of most characters makes room, so no other owner loses a clause',
      ],
    },
  },
  {
    attack: 'Refused requests keep the root user from a change',
    here: 'The root quorum goes first in the line of changes. Trusted keys overtake refused requests in the gateway.',
    tests: {
      'hostile/line_of_changes.test.ts': ["the root user's change waits for no flood"],
      'pipeline/change_lines.test.ts': [
        'the root quorum goes before 500 requests of a user, and no rank waits for ever',
        'strangers have a line apart, in which their sources take turns',
      ],
      'gateway/request_line.test.ts': [
        'a trusted key overtakes a flood, of which few requests begin in a turn',
      ],
      'enclave/fair_turns.test.ts': [
        'a user who used little goes before the busy users of the organization',
      ],
    },
  },
  {
    attack: 'Pipelined requests and unread answers make the gateway refuse everybody',
    here: 'A second request before the answer ends the connection. Shared buffers count for no source.',
    tests: {
      'gateway/one_at_a_time.test.ts': [
        'a second request ends the connection after the first answer',
        'and the enclave is not asked while an answer is not taken',
      ],
      'gateway/load_limiter.test.ts': [
        'of answers that are not taken are bounded: the oldest of the source ends',
        'of an answer take the place of those of the body, and leave other sources theirs',
      ],
      'gateway/rate_limit.test.ts': [
        'may probe some hundred times a second, whatever its other requests use',
      ],
      'gateway/metrics.test.ts': [
        'idle connections of two sources leave others the metrics, and a probe to themselves',
      ],
    },
  },
  {
    attack: 'A machine with two addresses takes all memory for bodies',
    here: 'A source gets half of what is left. Large bodies by unknown keys share a small pool.',
    tests: {
      'gateway/fair_pool.test.ts': [
        'gets half of what the others leave',
        'that holds nothing gets the least in any case, within the reserve',
      ],
      'gateway/load_limiter.test.ts': [
        'of large bodies by unknown keys share a pool, and leave that of known ones alone',
      ],
      'gateway/known_keys.test.ts': [
        'once a request was authenticated by it, whatever the signature, from the same source',
      ],
    },
  },
  {
    attack: 'Slow issuers of tokens make an idle service refuse bursts',
    here: 'The estimate counts the use of threads, and refuses no source below 16 requests.',
    tests: {
      'gateway/pace.test.ts': ['a request that waits for others counts nothing for its wait'],
      'gateway/load_limiter.test.ts': [
        'below sixteen of a source are never refused for the estimate',
        'that wait for others leave a burst of somebody else its places',
      ],
    },
  },
  {
    attack: 'Refused requests fill the disk',
    here: 'A large refused request is recorded as its digest. Refusals in an hour are bounded.',
    tests: {
      'pipeline/kept_refusals.test.ts': [
        'a refusal keeps the digest and the outline of a large request',
        'so many refusals of a user are recorded in an hour; further ones are answered alone',
        'organizations have their own bound, above that of their users',
      ],
    },
  },
  {
    attack: 'Another user of the machine serves a look-alike page at localhost',
    here: 'A service that people open at `localhost` listens at both addresses or does not start. A page removes foreign service workers.',
    tests: {
      'gateway/page_at_localhost.test.ts': [
        'a service does not start where another program listens at ::1',
        'the page of a package is served at 127.0.0.1, to the first browser that has the secret alone',
      ],
      'dashboard/planted_worker.test.ts': [
        'the page does not start under a service worker, and says so',
      ],
    },
  },
  {
    attack: 'A page sends the session of one service to another',
    here: 'A stored session names its service and is used nowhere else.',
    tests: {
      'dashboard/kept_session.test.ts': [
        'a page that a command serves stores no session, and signs out when the command ends',
        'a stored session is deleted if the service has another key than the session names',
      ],
    },
  },
  {
    attack: 'A page embeds the frame of an export to read or to imitate what it shows',
    here: 'Only listed origins other than that of the service embed a frame, and a frame has no other message than bundles.',
    tests: {
      'e2e/browser/frames.test.ts': [
        'a page of another origin cannot embed a frame',
        'a frame serves neither a page of its own origin nor a window',
        'a frame refuses messages that it does not serve',
      ],
      'gateway/frames_route.test.ts': [
        'only the configured applications may embed a frame, and it loads only own files',
      ],
    },
  },
  {
    attack: 'A click on another page pairs, approves or exports',
    here: 'Such buttons need a second of attention, and a pointer or a key first.',
    tests: {
      'dashboard/caught_clicks.test.ts': [
        'a click for another window pairs no key',
        'approval and rejection require a second of visibility, and a pointer or key event before the click',
        'the page requires a passkey until it knows the passkeys of the user',
      ],
    },
  },
  {
    attack: 'An altered page passes `dashboard verify`',
    here: 'The command compares headers with a list, every route, and the answers to browsers.',
    tests: { 'cli/dashboard_verify.test.ts': [' is detected'] },
  },
  {
    attack: 'A variable sends a request that is stamped for one service to another',
    here: 'A profile stamps for its own address, unless `--url` is typed.',
    tests: {
      'cli/way_in.test.ts': [
        'root credentials of this folder go to no other machine',
        'a variable overrides the profile for a command that signs nothing',
      ],
    },
  },
  {
    attack: 'Texts of the service write to the terminal',
    here: 'One function prints every foreign text.',
    tests: {
      'cli/hostile_service.test.ts': [
        'parsed documents are unchanged, and cannot write to the terminal',
        'the name of a wallet without accounts cannot write to the terminal',
      ],
      'cli/hostile_texts.test.ts': [
        'policy test shows names in a foreign file, which cannot control the terminal',
      ],
      'cli/unseen.test.ts': [' shows invisible characters as codes'],
    },
  },
  {
    attack: 'An installation runs scripts of test engines',
    here: 'Engines are dependencies of the tests alone.',
    tests: {
      'packages/engines.test.ts': [
        'an installation without packages for development has no engine of tests',
        'no package of an installation for service alone runs a script of its own',
      ],
    },
  },
  {
    attack: 'An answer without end fills the memory of a client',
    here: 'The client reads at most 64 MiB.',
    tests: {
      'client/retries.test.ts': ['an answer without end is read up to a bound, in each try'],
    },
  },
  {
    attack: 'A stamped request goes to another machine without TLS',
    here: 'The command line warns.',
    tests: {
      'cli/printed.test.ts': [
        'a warning appears only for a service on another machine without TLS',
      ],
    },
  },
  {
    attack: 'A unit of systemd has more rights than the service needs',
    here: 'The units restrict system calls, namespaces and the view of other processes.',
    tests: { 'packages/shells.test.ts': ['systemd rates the exposure of the units as low'] },
  },
  {
    attack: 'Another origin reads the dashboard by another spelling of its path',
    here: 'The routed path decides about CORS.',
    tests: {
      'gateway/dashboard_route.test.ts': [
        'pages of other origins read nothing below it, whatever way its path is spelled',
      ],
    },
  },
  {
    attack:
      'A stranger signs up with the public key of a user of the parent and receives their logins',
    here: "The parent's own users come first.",
    tests: {
      'operations/auth_proxy/foreign_keys.test.ts': [
        'a stranger who knows the key of an unused user of the parent draws no login away',
        'a stranger who knows the passkey of an unused user of the parent draws no login away',
      ],
    },
  },
  {
    attack: 'An organization stores the sealed client secret of another',
    here: 'The first recorded request claims the envelope for its organization and provider, for good.',
    tests: {
      'operations/oauth/create_oauth2_credential.test.ts': [
        'create_oauth2_credential: an envelope of another organization or provider is refused',
        'create_oauth2_credential: an envelope of a waiting request or a deleted client stays its own',
        'create_oauth2_credential: one of two organizations that name an envelope at once gets it',
      ],
    },
  },
  {
    attack: 'A session with a scope gives its own user a credential or a contact without scope',
    here: 'Only logins can, and a profile whose scope allows logins gets a warning. The test tries every operation.',
    tests: {
      'hostile/scoped_sessions.test.ts': [
        'no operation gives a scoped session a credential without scope',
      ],
      'pipeline/scoped_credentials.test.ts': [
        'a session with a scope registers no credential and sets no contact of its own user',
      ],
    },
  },
  {
    attack: 'Several recoveries by mail at once each add a passkey',
    here: 'The first one ends all mailed keys of the user.',
    tests: {
      'operations/one_time_codes/recover_user.test.ts': [
        'recover_user: one of several recoveries at once adds a passkey, whether they use one mailed key or two',
      ],
    },
  },
  {
    attack:
      'A gateway cuts, exchanges, repeats and reorders the rows of a rotation of the root key, or begins two at once',
    here: 'Each row opens only at its place, and one of two rotations begins.',
    tests: {
      'rotation/hostile_frames.test.ts': [
        'a rotation opens no row that was cut, exchanged or renamed, and no message ends the enclave',
        'repeated and reordered rows of a rotation stay whole',
        'one of two rotations at once begins, and an early end opens nothing',
      ],
    },
  },
  {
    attack: 'Two PSBTs with false amounts together pay a fee that policies forbid',
    here: 'A fee is known only from committed or proven amounts. A test changes each fact of each chain.',
    tests: {
      'core/transactions/bitcoin_amounts.test.ts': [
        'two requests that lie about one input each are allowed by no rule on the fee',
      ],
      'core/transactions/committed_facts.test.ts': [
        'no fact changes unless every digest does',
        'every fact of a transaction has a row',
      ],
    },
  },
  {
    attack: 'Strangers who read tiles of the log delay its entries and the receipts of users',
    here: 'Work on the log takes turns: the service first, then each organization, and all strangers as one.',
    tests: {
      'enclave/services/log.test.ts': [
        'readers of the log keep neither the log nor an organization waiting',
      ],
    },
  },
  {
    attack: 'A web page calls a server that a command runs on the same machine',
    here: 'Such servers reject every `Origin` and every foreign `Host`, and need a secret.',
    tests: {
      'cli/local_http.test.ts': ['a web page in a browser of this machine'],
    },
  },
  {
    attack: 'A stranger occupies the connections or the processor of a witness',
    here: 'One address gets half of the connections that others leave. Copies of a signature are checked once.',
    tests: {
      'cli/local_http.test.ts': [
        'answers others while one address holds its maximum of connections',
      ],
      'receipts/witness.test.ts': [
        'copies of a signature are checked once, and a wrong one ends the checks',
      ],
    },
  },
  {
    attack:
      'The recipient of a sponsored payment delivers the signed calls first, so the sender reads a failure and pays again',
    here: 'The error of a reverted transaction states whether its calls may have run, or may still run.',
    tests: {
      'gateway/sends/start_sends.test.ts': [
        'the error of a reverted sponsored transaction states whether its calls may have run or may still run',
      ],
    },
  },
  {
    attack:
      'The node of `keywright eth-signer` asks for a million gwei, or becomes a node of another chain',
    here: 'Gas and fees from the node have the bounds of sends, and a change of its chain is rejected.',
    tests: {
      'cli/eth_signer.test.ts': [
        'eth-signer rejects a price of the node beyond the bounds, and a node that changes its chain',
      ],
    },
  },
  {
    attack: 'Claimed or worthless rewards with low addresses keep others from being claimed',
    here: 'Claimable rewards come first, and named tokens before others.',
    tests: {
      'operations/earn/earn_claim_rewards.test.ts': [
        'earn_claim_rewards: claimed rewards and unknown tokens do not crowd out open rewards',
      ],
    },
  },
  {
    attack:
      "One sub-organization fills all places of the sponsor's address, or all room of its organization",
    here: 'A sub-organization gets half of what others leave.',
    tests: {
      'operations/sending/sponsored_ethereum.test.ts': [
        'one sub-organization takes at most half of the places that others leave at the sponsor',
        'one sub-organization leaves room for long transactions of others',
      ],
    },
  },
  {
    attack: 'Queries of one user occupy the connections to a node, so sends of others fail',
    here: 'Lookups of an organization take turns, many values go in one request, and requests wait for a place.',
    tests: {
      'pipeline/chain_lookups.test.ts': [
        'an organization has at most eight node calls and eight orders under way, and delays no other',
      ],
      'gateway/chains/chain_queries.test.ts': [
        'many contract values go to a node in few requests, and each call can be refused',
        'requests beyond the places of a node wait instead of failing',
      ],
    },
  },
  {
    attack: 'Orders of one organization occupy the holder of external keys',
    here: 'An organization has at most eight orders under way.',
    tests: {
      'pipeline/chain_lookups.test.ts': [
        'an organization has at most eight node calls and eight orders under way, and delays no other',
      ],
    },
  },
  {
    attack:
      'A failing command of the key holder prints an account or a PIN, which a caller of the service reads',
    here: 'The output stays in the log of the key holder.',
    tests: {
      'external_keys/key_holder.test.ts': [
        'the output of a failing command stays in the log of the key holder',
      ],
    },
  },
  {
    attack:
      'Nested groups expand a description to 10,000 fields in one piece of work, and each field selects thousands of values',
    here: 'Fields and groups are counted before they are read, and the selected values have a bound.',
    tests: {
      'core/contracts/description.test.ts': [
        'a format with more than 256 nested fields and groups is rejected early',
        'constants are counted before they are read',
      ],
      'core/transactions/descriptions/describe.test.ts': [
        'lists that are too long for a description are shown raw',
      ],
    },
  },
  {
    attack:
      'A stored interface names a function with the selector of `approve`, so that an unlimited approval looks harmless',
    here: 'Calls of token standards are always explained, and the other name causes a warning.',
    tests: {
      'core/transactions/ethereum_explanation.test.ts': [
        'an interface hides no standard call behind another name with the same selector',
      ],
    },
  },
  {
    attack: 'A readable text is also the bytes of a transaction, and is approved as a message',
    here: 'A text that is hashed like a transaction, without the prefix of a chain, causes a warning, and so does a text of the length of a hash.',
    tests: {
      'core/transactions/payload_explanation.test.ts': [
        'a text without a prefix is warned of, since it can be the bytes of a transaction',
        'a text of 32 bytes that an Ed25519 account signs is warned of, since chains sign such hashes',
      ],
    },
  },
  {
    attack:
      'Typed data of an exchange sells all tokens, or a permit has members beyond its standard, without a warning',
    here: 'Typed data without a known effect, other types than those of the standard, and terms of a spender cause warnings. User operations show their calls.',
    tests: {
      'core/transactions/payload_explanation.test.ts': [
        'typed data of no standard is named, and a type with only the name of a permit is not explained as one',
        'a permit with other types than its standard, or with terms of the spender, is warned of',
      ],
      'core/transactions/inner_calls.test.ts': [
        'typed data of a user operation shows the calls of the account, its payer and its fee',
        'an inner call without a known meaning is warned of',
      ],
    },
  },
  {
    attack:
      'Power over a contract, an operator of tokens, or a batch of an account is bytes to its approvers',
    here: 'Calls of more standards and wrappers are explained. An allowance beyond the supply of a known token is unlimited, and a call with the selector of a standard and odd arguments is named.',
    tests: {
      'core/transactions/ethereum_explanation.test.ts': [
        'calls that give power over a contract or its code are explained and warned of',
        'operators, permits of DAI and payments into vaults name the account that they serve',
        'an allowance beyond the supply of a known token is unlimited',
        'a call with the selector of a standard and other arguments is warned of by its name',
      ],
      'core/transactions/inner_calls.test.ts': [
        'a call of an entry point shows the calls that it makes the account execute',
        'an account that runs foreign code by a mode, or through a proxy, is warned of',
      ],
    },
  },
  {
    attack:
      'A confidential transfer of Solana moves tokens past limits and past rules on transfers',
    here: 'Its amount is hidden, so limits of the token and rules on `spl_transfers` have no value. Approvals name the accounts.',
    tests: {
      'core/transactions/solana_unknown.test.ts': [
        ') leaves the sum of its token unknown',
        'a deposit into the confidential balance of the same account is no transfer',
      ],
    },
  },
  {
    attack:
      'An interface names a function or instruction after another, so that a policy on names allows it',
    here: 'Storing the interface causes a warning, and so does a policy that reads a name without the selector or discriminator.',
    tests: {
      'operations/smart_contract_interfaces/create_smart_contract_interface.test.ts': [
        'create_smart_contract_interface: warns of names with the selector or the bytes of another call',
      ],
      'core/policy/lint/lint_transactions.test.ts': [': at its position, and only there'],
    },
  },
  {
    attack:
      'A migration gives the policy of a user to another person with the same name in the target',
    here: 'A policy that names such a user is moved by hand, unless the target has the keys of the source.',
    tests: {
      'cli/migrate_users.test.ts': [
        'a policy does not go to another person of the same name',
        'a policy goes to the user of the target that has the keys of the source',
      ],
    },
  },
  {
    attack:
      'A transaction of a Safe adds a module, or calls nothing while its refund of gas takes all tokens',
    here: 'The refund is an effect with receiver, token and price. Calls of a contract to itself are warned of.',
    tests: {
      'core/transactions/inner_calls.test.ts': [
        'a refund of gas that a Safe pays is shown with its receiver, token and price',
        'a call of a Safe to itself, which may add an owner or a module, is warned of',
        'typed data of a Safe shows its call, and the hashes that viem computes',
      ],
    },
  },
  {
    attack:
      'A user of the parent registers the key of another person, so that its requests for an activity read the parent',
    here: 'A request for an activity reads the parent only if the parent has that activity.',
    tests: {
      'operations/activities/get_activity.test.ts': [
        'get_activity finds an activity of the child for its caller who names the parent',
      ],
    },
  },
  {
    attack:
      'The author of a description hides the recipient of a call in a long struct, in bytes called call data, or behind repeated fields',
    here: 'A row covers a value only if it shows the whole value, and raw values have rows of their own.',
    tests: {
      'core/transactions/descriptions/describe.test.ts': [
        'a field for a whole struct hides none of its members',
        'repeated fields displace neither hidden nor undescribed values',
        'bytes that a description calls call data are shown',
        'an amount of a known token is never shown as coins',
        'only the description calls an address the sender',
        'tokens and units that only the description names are marked as such',
      ],
    },
  },
  {
    attack:
      'The holder of a receipt replaces the run of its entry by an older run with a trusted program, which signed a later tree',
    here: 'A run signs where its batch began, and the verifier requires that the batch has the entry.',
    tests: {
      'receipts/boot_statements.test.ts': [
        'a run that was there before proves no entry of another run, though it signs later trees',
      ],
    },
  },
  {
    attack:
      'A freeze of the users whose approvals count makes the service state that several approvals of others are needed',
    here: 'Several approvals are stated only if those who may approve now complete the activity together.',
    tests: {
      'operations/activities/explain_activity.test.ts': [
        'several approvals are not called for while a freeze stops all that would complete an activity',
        'no number of approvals is reported while a freeze keeps all users from approving',
      ],
    },
  },
  {
    attack:
      'A request hides a call of a draining program behind a transfer of tokens: the first line of the approval counts no further effect',
    here: 'Only the movement that directly follows a call of its own contract describes it. All other calls are counted.',
    tests: {
      'core/transactions/headline.test.ts': ['a transfer of tokens hides no other call'],
    },
  },
  {
    attack: 'A service names a file of an evidence bundle `../../.ssh/authorized_keys`',
    here: 'Ids in file names must be UUIDs, and pages have a bound.',
    tests: {
      'cli/evidence.test.ts': ['keywright evidence rejects invalid UUIDs and endless pages'],
    },
  },
  {
    attack:
      'A user has an approval counted for a sponsored transaction that by then also signs a delegation, although the policy forbids delegations',
    here: 'Conditions are evaluated again whenever any byte that policies read has changed.',
    tests: {
      'operations/sending/sponsored_ethereum.test.ts': [
        'a delegation that became necessary while an activity waits is decided anew',
      ],
    },
  },
  {
    attack:
      'An evidence bundle shows another request, result or vote than the log recorded, beside the genuine receipt',
    here: 'The receipt must record the type, votes and result of its activity. The signed text must cast the vote.',
    tests: {
      'cli/evidence.test.ts': [
        'a bundle with another request, result, intent or vote than the recorded one ends with 9',
      ],
    },
  },
  {
    attack:
      'Another user of the machine ends `org unseal --passkey` by five wrong codes in its page',
    here: 'Wrong codes have no effect. The code of 50 bits cannot be guessed in ten minutes.',
    tests: {
      'holder_page/serve.test.ts': [
        'a program without the code gets no task, and its wrong codes do not stop the owner',
      ],
    },
  },
  {
    attack:
      'A method name or an error of a node that is not text ends `keywright mcp` or `eth-signer`',
    here: 'Messages quote only text, and name the type of other values.',
    tests: {
      'cli/eth_signer.test.ts': ['a method or a node error without text does not end the command'],
    },
  },
  {
    attack:
      'A user fills the counters of a limit, hides an amount, or votes after a label changed, so that the DENY that reads it fails and is skipped',
    here: 'A DENY that reads a control or label without a value denies, even with `FAILED_DENY_SKIPPED`.',
    tests: {
      'core/policy/decision/deny_table.test.ts': [
        'a control or label without a value denies, even where failed DENYs are skipped',
      ],
      'address_book/decisions.test.ts': [
        'an address that is removed stops an activity that waits, even where failed DENYs are skipped',
      ],
    },
  },
  {
    attack:
      'A host to which a user forwards `keywright ssh-agent` has a transaction of the same key signed',
    here: 'The agent signs only logins, and signatures of files and commits.',
    tests: {
      'cli/ssh_agent.test.ts': ['a forwarded agent signs logins by its key, and no transaction'],
    },
  },
  {
    attack:
      'A host to which a user forwards `keywright ssh-agent` sends requests without reading the answers, or keeps all connections open',
    here: 'The agent reads the next request of a connection once the answers were taken. A new connection ends the one that was idle for the longest time.',
    tests: {
      'cli/ssh_connection.test.ts': [
        'an agent keeps few answers that a client does not take',
        'a connection ends though its client took no answer',
        'idle connections of a forwarded host leave room for a new one',
        'idle connections of a forwarded host do not end a connection that waits for a signature',
      ],
    },
  },
  {
    attack: 'An archive that another person sealed writes to the terminal that everything matches',
    here: 'The recovery tool replaces characters that control a terminal.',
    tests: {
      'export/export.test.ts': [
        'texts of an archive that another person sealed do not control the terminal',
      ],
    },
  },
  {
    attack:
      'A payment to a second account of the organization makes a program the owner of that account, below a headline that shows only the payment',
    here: 'An approval leaves out the sentence below a headline only for a plain payment.',
    tests: {
      'core/transactions/headline.test.ts': [
        'a transfer whose text says more than the headline is no plain payment',
      ],
    },
  },
  {
    attack:
      'A service names a user who voted on a request as its submitter, to persuade another voter',
    here: 'A request keeps its own signature when its submitter votes again, and the client library requires it.',
    tests: {
      'client/votes.test.ts': [
        'a user who votes on a request cannot be shown as its submitter',
        'a submitter who votes again stays the submitter, beside a user who sent the same body',
      ],
    },
  },
  {
    attack:
      'The record of a receipt shows a vote that its user signed for another activity, or with another selection',
    here: 'Each signed text must cast its vote on the request of this activity, type and organization.',
    tests: {
      'receipts/signed_votes.test.ts': ['a receipt whose record has '],
    },
  },
  {
    attack:
      'A user without rights submits a refused request, so that the evidence of a period fails',
    here: 'A refused request may lack its signature, which counts as not verified. A vote may name its activity in any letter case.',
    tests: {
      'cli/evidence.test.ts': [
        'the evidence of refused requests, and of a vote in another letter case, verifies',
      ],
      'receipts/signed_votes.test.ts': [
        'receipts of refused, rejected and approved requests of a service verify',
      ],
    },
  },
  {
    attack:
      'An evidence bundle contains an activity that is not selected, an activity twice, a repeated member, or other outcomes of policies',
    here: 'A bundle has exactly the files of its activities, and the outcomes that the receipt records.',
    tests: {
      'cli/evidence.test.ts': [
        'a bundle with files, activities or members that the command does not verify ends with 9',
        'a bundle with other outcomes of policies than its receipt ends with 9',
      ],
    },
  },
  {
    attack: 'A request in a receipt writes to the terminal of its verifier, or reorders its text',
    here: 'The package and the page show such characters as codes.',
    tests: {
      'receipts/package.test.ts': [
        'the package and the page show hidden characters of a receipt as codes',
      ],
    },
  },
  {
    attack:
      'A document of a signature shows a digest with further bytes, half a character, or a message twice, so that other words look signed',
    here: 'ECDSA verifies only digests of 32 bytes, texts are well-formed, and a repeated member is refused.',
    tests: {
      'cli/verify_signature.test.ts': [
        'a digest with further bytes, or without its leading zero, is not verified',
        'a text with half a character is not verified by the signature of its replacement',
        'a document that repeats a member is refused, because readers may show the other value',
      ],
    },
  },
  {
    attack: 'A forwarder of a webhook changes the kind of event that `verify webhook` prints',
    here: 'The command prints only what the signature covers.',
    tests: {
      'cli/verify.test.ts': [
        'a saved delivery verifies unchanged and as JSON, and no altered one verifies',
      ],
    },
  },
  {
    attack:
      'A trust policy lists one witness in two groups, or hides its quorum behind a carriage return, so that fewer witnesses suffice than a reader counts',
    here: 'A witness is a member of one group only, and a line has no further words.',
    tests: {
      'core/log/trust_policy.test.ts': [
        'a witness or group is a member of one group only, so it counts once',
        'a line with further words, other blanks, or another number than a decimal one is refused',
      ],
    },
  },
  {
    attack: 'A service states that it archived the activities that it hides from an audit',
    here: 'An activity of the last two days cannot be archived. The audit counts the others.',
    tests: {
      'cli/verify_receipt.test.ts': [
        'an audit of a service that claims a new activity to be archived ends with 9',
      ],
      'receipts/audit.test.ts': [
        'a service cannot explain a withheld activity by an archive that it could not have written yet',
      ],
    },
  },
  {
    attack:
      'An evidence bundle without the record of the log counts one key twice, in another spelling, for another user or by a second text',
    here: 'Each key and each user counts once, in whatever spelling. Only the record shows that a key changed its user.',
    tests: {
      'cli/evidence.test.ts': [
        'without the record of the log, a bundle cannot count a key or a user twice',
      ],
      'client/votes.test.ts': ['all spellings of the key of a vote are one key'],
    },
  },
  {
    attack:
      'A request beyond the room for pending transactions makes the holder of an external key sign, so others can send what was rejected',
    here: 'The room of address, user, organization and sponsor is checked before the holder signs.',
    tests: {
      'external_keys/composed_sends.test.ts': [
        'a send or removal of code for which its address has no room reaches no holder',
        'sponsored calls for which the sponsor has no room reach no holder',
      ],
      'external_keys/sends.test.ts': [
        'a transaction of Solana for which its address has no room reaches no holder',
      ],
    },
  },
  {
    attack:
      'Two nodes get one code, wrong codes, one target of imports or sponsored sends at once, to use or count them twice',
    here: 'Each use is conditional on the version that it was decided on, on all nodes.',
    tests: {
      'hostile/two_nodes.test.ts': [
        'a code is exchanged once on two nodes',
        'wrong codes on two nodes leave no further try',
        'the target of an import serves one import on two nodes',
        'a limit of sponsored fees holds on two nodes together',
      ],
    },
  },
  {
    attack:
      'A stranger invents names of operations while a service refuses all requests, so that they become labels of metrics',
    here: 'Only an answer that the operation itself gave makes its name a label.',
    tests: {
      'gateway/http.test.ts': [
        'one line and one count per request contain nothing invented by a caller',
      ],
      'pipeline/stamps.test.ts': ['an unknown operation is refused as such, also without a stamp'],
    },
  },
  {
    attack: 'A service answers lists whose cursors repeat in a cycle, or empty pages without end',
    here: 'The client library throws an error at a repeated cursor, and after 10,000 pages without rows.',
    tests: {
      'client/lying_service.test.ts': [
        'lists that are none are not read as empty, and lists without end are not read for ever',
      ],
    },
  },
  {
    attack:
      'A service names an ID in its error so that the printed next step runs a command of the service',
    here: 'Each value of a message is one quoted word of the printed command.',
    tests: {
      'cli/next_steps.test.ts': [
        'a value in the message of a service is one word of the printed command',
      ],
    },
  },
  {
    attack:
      'A sponsored request beyond a limit makes the holder of an external key sign calls that others can deliver, beside the payment that replaces it',
    here: 'Limits of the sponsor apply before the holder signs. An external key cannot be a sponsor.',
    tests: {
      'external_keys/composed_sends.test.ts': [
        'sponsored calls beyond a limit reach no holder',
        'an external key is no sponsor, also in a dry run',
      ],
      'external_keys/sends.test.ts': [
        'a transaction of Solana beyond the limit of its sponsor reaches no holder',
      ],
    },
  },
  {
    attack:
      'A thief with the root credentials of a frozen sub-organization deletes it, or locks its keys under an organization key of the thief',
    here: 'A freeze stops the deletion of the sub-organization, and changes of organization keys and their holders.',
    tests: {
      'freezes/stopped.test.ts': [
        'a freeze of an organization stops signatures, exports, sends and the deletion of keys',
        'a freeze by the parent stops changes of key holders, and neither seal nor unseal',
      ],
    },
  },
  {
    attack:
      'An attacker takes over a gateway that once passed the key of a typed passphrase, and gives the enclave a next root key, under which all rows are sealed again',
    here: 'Enclaves accept a next key after the start only if the provider reads keys then.',
    tests: {
      'rotation/hostile_frames.test.ts': [
        'a gateway that reads no key after the start opens no row by a next key of its own',
        'a gateway gives no next key to an enclave that collected its key from shares',
      ],
    },
  },
  {
    attack:
      'A gateway without the root key starts an enclave that accepts requests of any age, and repeats one that brings a deleted key back',
    here: 'An enclave starts with no bound on the age of requests above a day.',
    tests: {
      'enclave/hostile_repetitions.test.ts': [
        'a gateway starts no enclave that carries out a request of last month, and brings a key back',
      ],
    },
  },
  {
    attack:
      'A person who read mails of a user uses a mailed key after the user has another address, or after the login is off',
    here: 'Another address ends mailed keys, and so does the removal of the feature.',
    tests: {
      'operations/one_time_codes/mailed_keys.test.ts': [
        'another address, or none, ends the mailed keys that have not signed',
        'the removal of the login ends mailed keys that have not signed',
        'the removal of the recovery ends its mailed keys, also if the recovery returns',
      ],
    },
  },
  {
    attack:
      'A stranger requests codes for thousands of contacts and guesses at each of them, until some account opens',
    here: 'One source has 36 wrong codes in three minutes for all contacts together.',
    tests: {
      'operations/auth_proxy/one_time_codes.test.ts': [
        'otp_verify: wrong codes of one source count for all contacts together',
      ],
      'core/auth/one_time_codes/otp_codes.test.ts': [
        'a source of strangers has 36 wrong tries in three minutes, whatever contacts it names',
        'wrong tries of a stranger are not forgotten with their codes',
      ],
    },
  },
  {
    attack:
      'A reader replays the approval of a key that moved to another user, after its first user approved with another key, so that two people count as three',
    here: 'The activity keeps the key and the time of the earlier approval. An older vote of that key does not count.',
    tests: {
      'votes/what_counts.test.ts': [
        'a key that moved to another user brings no earlier vote, even after its user voted again',
        'another user cannot restore a dropped vote by registering its key',
      ],
    },
  },
];

/** Faults that users of other wallets, signers and passkey services reported. */
export const triedReports: readonly TriedAttack[] = [
  {
    attack: 'PSBTs as Bitcoin Core writes them are refused',
    here: 'Both forms of a spent output are accepted if they agree.',
    tests: {
      'core/transactions/bitcoin_amounts.test.ts': [
        'PSBTs as Bitcoin Core writes them are signed, by hashes that bitcoinjs-lib makes too',
        'a previous transaction that is another one, or another output beside it, is refused',
      ],
    },
  },
  {
    attack: 'Typed data without `EIP712Domain` is signed over an empty domain',
    here: 'The type follows from the members, as viem and ethers derive it.',
    tests: {
      'core/payload/eip712.test.ts': [
        'a domain that is not declared is derived as viem and ethers derive it',
      ],
    },
  },
  {
    attack: 'One unusual function makes a whole ABI unreadable',
    here: 'Only that function has no facts, and the request has a warning.',
    tests: {
      'core/contracts/abi.test.ts': [
        'a function that cannot be decoded has a problem, and the others are read',
      ],
    },
  },
  {
    attack: 'An IDL with one unknown type is refused',
    here: 'Only instructions that need the type are not decoded.',
    tests: {
      'core/contracts/idl.test.ts': [
        'an IDL without types is read, and an instruction that needs an unknown type has a problem',
        'types that no argument is made of may lack a definition, as programs publish them',
      ],
    },
  },
  {
    attack: 'A newer instruction of a known Solana program is refused, or moves coins unseen',
    here: 'It is read, or the sum is unknown.',
    tests: {
      'core/transactions/solana_unknown.test.ts': [
        'instruction 13 of the system program is a transfer from its second account to the first',
        'an unknown instruction of the stake program leaves the sum of SOL unknown',
      ],
    },
  },
  {
    attack: 'ID tokens with several audiences, or with `alg: Ed25519`, are refused',
    here: '`azp` names the client, and both names of the algorithm mean the same.',
    tests: {
      'core/auth/oidc_token.test.ts': ['claims with ', ' is verified and read'],
    },
  },
  {
    attack: 'A passkey that is backed up without being eligible for it is registered',
    here: 'The registration is refused.',
    tests: {
      'core/auth/webauthn_registration.test.ts': [
        'a passkey that is backed up without being eligible for it is refused',
      ],
    },
  },
  {
    attack: 'Attestation objects of common JavaScript encoders are refused',
    here: 'The outer object may be any well-formed CBOR.',
    tests: {
      'core/auth/webauthn_registration.test.ts': [
        'an attestation object in any well-formed CBOR is read, with the same passkey',
      ],
    },
  },
  {
    attack: 'Passkeys with long credential IDs are refused',
    here: 'An ID has up to 1,023 bytes.',
    tests: {
      'core/auth/webauthn_registration.test.ts': ['an id may have 1 to 1023 bytes'],
    },
  },
  {
    attack: 'Paths with `h` or `H` are refused',
    here: 'The three marks of hardened segments mean the same.',
    tests: {
      'core/derivation/path.test.ts': [
        'the marks of hardened segments mean the same, with and without m',
      ],
    },
  },
  {
    attack: 'E-mail addresses of internationalized domains are refused',
    here: 'A domain is accepted by its ASCII form.',
    tests: {
      'core/organization/contacts.test.ts': [
        'a domain of another script is accepted by its ASCII form',
      ],
    },
  },
  {
    attack: 'Typed data of Cosmos chains is refused',
    here: 'It is signed by its declared types.',
    tests: {
      'core/payload/eip712.test.ts': [
        'typed data of the chains of Cosmos is signed by its declared types',
      ],
    },
  },
  {
    attack: 'A passphrase file of Windows opens nothing',
    here: 'One line end, LF or CR LF, does not belong to the passphrase.',
    tests: {
      'core/base/line_end.test.ts': [
        'a passphrase and a root key are the same whichever line end their file has',
      ],
    },
  },
  {
    attack: 'Keys in the forms of other tools are not imported',
    here: 'The command line recognizes arrays, base58, hexadecimal digits and WIF, and shows the address.',
    tests: {
      'cli/transfers.test.ts': [
        ' is imported after its address was shown',
        'a key pair of two keys and WIF of other kinds are refused',
      ],
    },
  },
  {
    attack: 'Portuguese mnemonics are not imported',
    here: 'All ten languages of BIP-39 are imported.',
    tests: {
      'core/derivation/imported_sentence.test.ts': [
        ': seeds agree with @scure/bip39, composed or not',
      ],
    },
  },
];
