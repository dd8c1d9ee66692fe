// The external services in the settings.

import { fail } from '../../core/errors/errors.ts';
import type { ExternalServices } from '../../core/external/external_services.ts';
import type { Settings } from '../../settings/settings.ts';
import { createChainQueries } from '../chains/chain_queries.ts';
import { readLastBackup } from '../custody/last_backup.ts';
import { createKeyHolderClient } from '../key_holder/ask_key_holder.ts';
import type { MessageDelivery } from '../messages/delivery.ts';
import type { Log } from '../observability/log.ts';
import type { Metrics } from '../observability/metrics.ts';
import { createCaptchaCheck } from '../outbound/captcha.ts';
import { createNameLookup } from '../outbound/name_lookup.ts';
import { createIssuerKeys } from '../outbound/oidc_keys.ts';
import { createOutbound } from '../outbound/outbound.ts';
import { tracedSend } from '../traces/traced_outbound.ts';
import type { Tracing } from '../traces/tracing.ts';
import { refusedTarget } from '../webhooks/refused_target.ts';

/** Creates the external services of a deployment. */
export function createExternalServices(
  {
    allowPrivateTargets,
    oidcIssuers,
    oauth2Endpoints,
    captchaUrl,
    captchaSecret,
    chains,
    dataDirectory,
    keyHolderSocket,
  }: OutsideSettings,
  {
    deliver,
    log,
    tracing,
    metrics,
  }: Pick<MessageDelivery, 'deliver'> & {
    readonly log: Log;
    readonly tracing: Tracing;
    readonly metrics: Metrics;
  },
): ExternalServices & {
  /** Aborts the calls in progress. */
  close(): void;
} {
  const rules = { allowPrivateTargets };
  const lookup = createNameLookup(rules);
  const outbound = createOutbound({ ...rules, lookup });
  const sendFor = (purpose: string) => tracedSend(outbound.send, tracing, purpose);
  const askProvider = sendFor('oauth2_provider');
  const { keysOf } = createIssuerKeys({
    outbound: { send: sendFor('token_issuer') },
    clock: () => performance.now(),
    acceptedIssuers: oidcIssuers,
  });
  const { close, answering, ...queries } = createChainQueries(chains ?? [], log, {
    tracing,
    metrics,
  });
  return {
    ...queries,
    serviceHealth: async () => ({
      answering: await answering(),
      lastBackupAtMs: readLastBackup(dataDirectory)?.createdAtMs,
    }),
    issuerKeys: (issuer, keyId) => keysOf(issuer, keyId),
    deliver: async (messages) => {
      for (const message of messages) deliver(message);
    },
    fetch: async ({ url, method, headers, body }) => {
      const answer = await askProvider({
        url: oauth2Endpoints?.[url] ?? url,
        method,
        headers,
        ...(method === 'POST' ? { body } : {}),
        ...fetchLimits,
      });
      if ('failure' in answer) {
        const { failure, detail } = answer;
        log('warn', 'an OAuth 2.0 provider did not answer', { url, failure, detail });
        return fail('oauth2_provider_unavailable');
      }
      return { status: answer.status, body: answer.body };
    },
    orderSignatures: createKeyHolderClient(keyHolderSocket, log),
    refusedTarget: (url) => refusedTarget(url, rules, lookup),
    verifyCaptcha: createCaptchaCheck(
      { url: captchaUrl, secret: captchaSecret },
      sendFor('captcha_provider'),
      (detail) => log('warn', 'a captcha could not be checked', { detail }),
    ),
    close: () => {
      outbound.close();
      close();
    },
  };
}

type OutsideSettings = Pick<
  Settings,
  | 'allowPrivateTargets'
  | 'oidcIssuers'
  | 'oauth2Endpoints'
  | 'captchaUrl'
  | 'captchaSecret'
  | 'chains'
  | 'dataDirectory'
  | 'keyHolderSocket'
>;

/** Limits for tokens and profiles, which are small. */
const fetchLimits = { timeoutMs: 10_000, maximumBytes: 64 * 1024 };
