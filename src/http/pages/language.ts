import { english, type Locale, locales } from '../../../views/locale.ts'
import { LruCache } from '../../domain/lru-cache.ts'

/** Tags whose language differs from their first part, or that have several names. */
const aliases: [RegExp, string][] = [
  [/^zh-(hant|tw|hk|mo)\b/, 'zh-hant'],
  [/^zh\b/, 'zh-hans'],
  [/^pt\b/, 'pt-br'],
  [/^iw\b/, 'he'],
  [/^in\b/, 'id'],
]

const byTag = new Map(locales.map(locale => [locale.tag.toLowerCase(), locale]))

/** The language of a tag such as "de", "de-AT" or "zh-TW"; undefined if there is no catalogue for it. */
function localeOfTag(tag: string): Locale | undefined {
  const wanted = tag.trim().toLowerCase().replaceAll('_', '-')
  const alias = aliases.find(([pattern]) => pattern.test(wanted))?.[1]
  return byTag.get(alias ?? wanted) ?? byTag.get(wanted.split('-')[0] ?? '')
}

const LONGEST_HEADER = 1000
/** Characters of headers, of which most have 30. */
const ACCEPTED_MAX = 50_000
const accepted = new LruCache<Locale>(ACCEPTED_MAX, (_, header) => header.length)

/** The best language for an Accept-Language header. A preference that is not a number counts as refused. */
function parseAccepted(header: string): Locale {
  const ranges = header
    .split(',')
    .map(range => {
      const [tag = '', ...parameters] = range.split(';').map(part => part.trim())
      const quality = parameters.find(parameter => /^q=/i.test(parameter))
      return { tag, quality: quality === undefined ? 1 : Number(quality.slice(2)) }
    })
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality)
  for (const { tag } of ranges) {
    const locale = tag === '*' ? english : localeOfTag(tag)
    if (locale) return locale
  }
  return english
}

function acceptedBy(header: string): Locale {
  const start = header.slice(0, LONGEST_HEADER)
  return accepted.get(start, () => parseAccepted(start))
}

/** The language that the URL of a page asks for. */
export function localeInUrl(url: string): Locale | undefined {
  const tag = /[?&]lang=([A-Za-z_-]{2,20})(?:&|$|#)/.exec(url)?.[1]
  return tag === undefined ? undefined : localeOfTag(tag)
}

/** The language that was chosen by a link in this browser before. */
export function localeInCookie(cookies: string | null): Locale | undefined {
  const tag = /(?:^|;\s*)florin_lang=([A-Za-z-]{2,20})(?:;|$)/.exec(cookies ?? '')?.[1]
  return tag === undefined ? undefined : localeOfTag(tag)
}

/** The language of a page: as its URL says, as chosen before, or as the browser prefers. */
export const localeOf = ({ url, headers }: Request): Locale =>
  localeInUrl(url) ??
  localeInCookie(headers.get('cookie')) ??
  acceptedBy(headers.get('accept-language') ?? '')

const YEAR_SECONDS = 31_536_000

/** The headers that say which language a page has, and what it depends on. */
export const languageHeaders = ({ tag }: Locale): Record<string, string> => ({
  'content-language': tag,
  vary: 'Accept-Language, Cookie',
})

/** Remembers the language that the URL of a page asks for. Without one there is no cookie. */
export function languageCookie({ method, url }: Request, checkoutUrl: string): Record<string, string> {
  const locale = localeInUrl(url)
  if (!locale || method !== 'GET') return {}
  const secure = checkoutUrl.startsWith('https:') ? '; Secure' : ''
  const attributes = `Path=/; Max-Age=${YEAR_SECONDS}; HttpOnly; SameSite=Lax${secure}`
  return { 'set-cookie': `florin_lang=${locale.tag}; ${attributes}` }
}
