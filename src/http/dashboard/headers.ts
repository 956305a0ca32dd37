import { pageHeaders } from '../pages/headers.ts'
import { languageCookie } from '../pages/language.ts'

/** A dashboard shows images of products, which may be on other servers. Nothing else comes from elsewhere. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob: https:",
  "connect-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ')

export const dashboardHeaders = (
  request: Request,
  checkoutUrl: string,
  language: string,
): Record<string, string> => ({
  ...pageHeaders,
  'content-security-policy': policy,
  // A form must say where it comes from.
  'referrer-policy': 'same-origin',
  'content-language': language,
  vary: 'Accept-Language, Cookie',
  ...languageCookie(request, checkoutUrl),
})
