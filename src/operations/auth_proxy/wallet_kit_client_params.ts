import { answerText, object, optional } from '../../core/schema/schema.ts';
import { proxy } from './proxy_operation.ts';

export const wallet_kit_client_params = proxy({
  summary: 'Returns what a page needs to show a captcha, if the proxy requires one.',
  body: object({}),
  response: object({ turnstileSiteKey: optional(answerText()) }),

  answer: ({ settings, deployment: { captchaSiteKey } }) =>
    settings.captchaEnabled && captchaSiteKey !== undefined
      ? { turnstileSiteKey: captchaSiteKey }
      : {},
});
