import { LruCache } from '../../domain/lru-cache.ts'

interface AllowedContent {
  /** content of the page's only style element */
  style: string | null
  /** URL of an image, which may be on another server */
  imageUrl: string | null
  /** origins whose pages may show this page in a frame; empty by default */
  embedOrigins?: readonly string[]
}

/** Hashes of the styles of shops with a color of their own. */
const hashes = new LruCache<string>(500)

const hashOf = (style: string): string =>
  hashes.get(style, () => ` 'sha256-${Bun.SHA256.hash(style, 'base64')}'`)

/** Matches origins that are safe in the policy. A ";" or "," in a host would end a directive. */
const safeOrigin = /^https?:\/\/[a-z0-9.:[\]_-]+$/

const originOf = (imageUrl: string | null): string =>
  imageUrl !== null && URL.canParse(imageUrl) ? new URL(imageUrl).origin : ''

/** The origins of these images on other servers, for the content security policy of a page. */
export const originsOf = (imageUrls: readonly (string | null)[]): string =>
  [...new Set(imageUrls.map(originOf))]
    .filter(origin => safeOrigin.test(origin))
    .map(origin => ` ${origin}`)
    .join('')

/**
 * The content security policy of a page, which loads only our script and stylesheet. `forms` are other
 * targets of its forms: a form may redirect to a provider, and "form-action" applies to redirects too.
 */
const policyOf = ({ style, imageUrl, embedOrigins = [] }: AllowedContent, forms: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self'${style === null ? '' : hashOf(style)}`,
    `img-src 'self' data:${originsOf([imageUrl])}`,
    "connect-src 'self'",
    `form-action 'self'${forms}`,
    `frame-ancestors ${embedOrigins.length === 0 ? "'none'" : embedOrigins.join(' ')}`,
    "base-uri 'none'",
  ].join('; ')

const plain: AllowedContent = { style: null, imageUrl: null }

export const pageHeaders: Record<string, string> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': policyOf(plain, ''),
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
}

/** The headers of a page of a shop. */
export const shopHeaders = (allowed: AllowedContent, forms = ''): Record<string, string> => {
  const headers: Record<string, string> = {
    ...pageHeaders,
    'content-security-policy': policyOf(allowed, forms),
  }
  // X-Frame-Options cannot name origins, and older browsers would obey it.
  if (allowed.embedOrigins?.length) delete headers['x-frame-options']
  return headers
}
