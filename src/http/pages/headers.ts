/**
 * A page loads only our script and our stylesheet and cannot be framed. A form may redirect to a provider;
 * "form-action" applies to that target too.
 */
const policyOf = (images: string, forms: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src 'self' data:${images}`,
    "connect-src 'self'",
    `form-action 'self'${forms}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ')

export const pageHeaders: Record<string, string> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': policyOf('', ''),
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
}

/** A ";" or "," in a host is legal in a URL, but would end a directive of the policy. */
const safeOrigin = /^https?:\/\/[a-z0-9.:[\]_-]+$/

/** The headers of a product's page, whose image may be on another server. */
export function pageHeadersWithImage(imageUrl: string | null): Record<string, string> {
  const origin = imageUrl !== null && URL.canParse(imageUrl) ? new URL(imageUrl).origin : ''
  const images = safeOrigin.test(origin) ? ` ${origin}` : ''
  return { ...pageHeaders, 'content-security-policy': policyOf(images, ' https:') }
}
