import { encode } from 'uqr';
import { t } from '../messages/text.ts';

/** Modules of quiet around a code (ISO/IEC 18004); the padding around the picture is the rest. */
const border = 1;

/** An address as a QR code: one path, a square for each dark module. */
export function QrCode({ text }: { readonly text: string }) {
  const { data, size } = encode(text, { ecc: 'M', border });
  const squares = data.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
  );
  return (
    <svg
      class="qr"
      role="img"
      aria-label={t('wallets.qrOf', { address: text })}
      viewBox={`0 0 ${size} ${size}`}
      shape-rendering="crispEdges"
    >
      <path d={squares.join('')} fill="currentColor" />
    </svg>
  );
}
