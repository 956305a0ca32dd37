/**
 * A page runs our one script and our one stylesheet, and is framed by nobody. A form may be answered by a
 * redirect to a provider, which "form-action" counts as its target.
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

/** The headers of a product's page, which shows an image that may lie elsewhere. */
export function pageHeadersWithImage(imageUrl: string | null): Record<string, string> {
  const origin = imageUrl !== null && URL.canParse(imageUrl) ? ` ${new URL(imageUrl).origin}` : ''
  return { ...pageHeaders, 'content-security-policy': policyOf(origin, ' https:') }
}
