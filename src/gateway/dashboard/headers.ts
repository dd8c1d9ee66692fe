// The headers of every answer below `/dashboard/`: the page may run only its own files and reach only the
// service.

const deniedFeatures = (
  'accelerometer camera display-capture geolocation gyroscope hid' +
  ' microphone midi payment serial usb xr-spatial-tracking'
).split(' ');

const permissions = [
  'publickey-credentials-get=(self)',
  'publickey-credentials-create=(self)',
  'clipboard-write=(self)',
  ...deniedFeatures.map((feature) => `${feature}=()`),
];

/**
 * Returns the headers, with the digest of the import map that `index.html` may have. `apiOrigin` is the
 * origin of a remote service.
 */
export function pageHeaders(
  importMap: string,
  apiOrigin?: string,
): Readonly<Record<string, string>> {
  return {
    'content-security-policy': [
      "default-src 'none'",
      `script-src 'self' '${importMap}'`,
      "worker-src 'none'",
      "style-src 'self'",
      "img-src 'self'",
      "manifest-src 'self'",
      `connect-src 'self'${apiOrigin === undefined ? '' : ` ${apiOrigin}`}`,
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ].join('; '),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': permissions.join(', '),
  };
}
