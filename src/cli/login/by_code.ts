// Login by a one-time code: the service mails the code, the user types it, and the key of this machine starts
// a session. The code is sealed to a key that the service signed.

import { setTimeout } from 'node:timers/promises';
import { sealCode } from '../../client/bundles.ts';
import { attested, type Client, type KeyStamp } from '../../client/index.ts';
import { errorOf } from '../../client/outcome.ts';
import { send } from '../../client/transport.ts';
import { boundedFetch } from '../service/bounded_fetch.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { Failure, usage } from '../words/failures.ts';
import type { LoginPlace } from './place.ts';

/** Maximum length of a code with white space. */
const maximumInputBytes = 1_024;

/** Starts a session for the user with this address. Throws `usage` and the errors of the client. */
export async function sessionByCode(
  client: Client,
  { proxy }: LoginPlace,
  {
    email,
    key,
    seconds,
    onShown,
  }: {
    readonly email: string;
    readonly key: KeyStamp;
    readonly seconds: string;
    /** Called before the key is shown. */
    readonly onShown: () => void;
  },
  terminal: Terminal,
): Promise<void> {
  if (proxy === undefined) {
    throw usage(
      `${client.url} names no onboarding proxy, which sends codes`,
      'Log in with a key file, or by pairing: keywright login',
    );
  }
  const ask = (endpoint: string, body: object) => proxyAnswer(proxy, endpoint, body, terminal);
  const sent = await ask('otp_init_v2', { otpType: 'OTP_TYPE_EMAIL', contact: email });
  const code = await typedCode(email, terminal);
  const { publicKey } = key;
  const encryptedOtpBundle = await sealCode(
    client,
    text(sent, 'otpEncryptionTargetBundle'),
    code,
    publicKey,
  );
  onShown();
  const verified = await ask('otp_verify_v2', { otpId: text(sent, 'otpId'), encryptedOtpBundle });
  await client
    .as(attested(key, text(verified, 'verificationToken')))
    .submit('stamp_login', { publicKey, expirationSeconds: seconds });
}

/** Reads the code. There is no flag for it, because other users can read process arguments. */
async function typedCode(email: string, { ask, readInput }: Terminal): Promise<string> {
  const typed =
    ask === undefined
      ? new TextDecoder().decode(await readInput(maximumInputBytes))
      : await ask(`Code that was sent to ${email}: `);
  const code = typed.trim().toUpperCase();
  if (/^[0-9A-Z]{4,64}$/.test(code)) return code;
  throw new Failure({
    exit: 'not_confirmed',
    message: 'That is not a code.',
    next: 'Type the same login again: it sends another code.',
  });
}

type Members = Readonly<Record<string, unknown>>;

async function proxyAnswer(
  { url, configId }: NonNullable<LoginPlace['proxy']>,
  endpoint: string,
  body: object,
  { signal, clock }: Terminal,
): Promise<Members> {
  const request = {
    url: `${url}/v1/${endpoint}`,
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-auth-proxy-config-id': configId },
    body: JSON.stringify(body),
  } as const;
  const pause = (ms: number) => setTimeout(ms, undefined, { signal });
  const answer = await send(request, { fetch: boundedFetch, now: clock, pause }, signal);
  if (answer.status !== 200) throw errorOf(answer);
  return answer.body;
}

function text(answer: Members, name: string): string {
  const value = answer[name];
  if (typeof value === 'string') return value;
  throw new Failure({
    exit: 'not_verified',
    code: 'answer_malformed',
    message: `The answer of the service lacks ${name}.`,
  });
}
