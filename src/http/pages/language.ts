import { english, type Locale, locales } from '../../../views/locale.ts'
import { LruCache } from '../../domain/lru-cache.ts'

/** Tags whose first part does not suffice to find one of our languages, and former tags of languages. */
const aliases: [RegExp, string][] = [
  [/^zh-(hant|tw|hk|mo)\b/, 'zh-hant'],
  [/^zh\b/, 'zh-hans'],
  [/^pt\b/, 'pt-br'],
  [/^iw\b/, 'he'],
  [/^in\b/, 'id'],
]

const byTag = new Map(locales.map(locale => [locale.tag.toLowerCase(), locale]))

/** The language of a tag such as "de", "de-AT" or "zh-TW"; undefined if there are no texts in it. */
function localeOfTag(tag: string): Locale | undefined {
  const wanted = tag.trim().toLowerCase().replaceAll('_', '-')
  const alias = aliases.find(([pattern]) => pattern.test(wanted))?.[1]
  return byTag.get(alias ?? wanted) ?? byTag.get(wanted.split('-')[0] ?? '')
}

const LONGEST_HEADER = 1000
/** Max characters of all cached headers. Most headers have about 30 characters. */
const ACCEPTED_MAX = 50_000
const accepted = new LruCache<Locale>(ACCEPTED_MAX, (_, header) => header.length)

/**
 * The tags of a header, most preferred first. A language whose preference is not a number counts as refused.
 */
const tagsIn = (header: string): string[] =>
  header
    .split(',')
    .map(range => {
      const [tag = '', ...parameters] = range.split(';').map(part => part.trim())
      const quality = parameters.find(parameter => /^q=/i.test(parameter))
      return { tag, quality: quality === undefined ? 1 : Number(quality.slice(2)) }
    })
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality)
    .map(({ tag }) => tag)

const isFirst = ({ tag }: Locale, region: string): boolean =>
  new Intl.Locale(tag).maximize().region === region

const REGIONS_MAX = 200
const regional = new LruCache<Locale>(REGIONS_MAX)

/** Gives a language the formats of a region: "CHF 1’234.50" for Swiss German, not "1.234,50 CHF". */
function inRegion(locale: Locale, region: string): Locale {
  const [language, script] = locale.tag.split('-')
  const tag = [language, script?.length === 4 ? script : [], region].flat().join('-')
  return regional.get(`${locale.tag} ${region}`, () =>
    isFirst(locale, region) ? locale : { ...locale, formats: `${tag}-u-nu-latn` },
  )
}

const REGION = /^[a-z]{2,3}(?:-[a-z]{4})?-([a-z]{2}|[0-9]{3})$/i

/**
 * The chosen language; without one, the first of the browser's languages for which there are texts. It gets
 * the formats of the region for which the browser prefers it.
 */
function choose(tags: string[], chosen: Locale | undefined): Locale {
  const found = tags.map(tag => (tag === '*' ? english : localeOfTag(tag))).find(locale => locale)
  const locale = chosen ?? found ?? english
  const regions = tags
    .filter(tag => localeOfTag(tag) === locale)
    .flatMap(tag => REGION.exec(tag.replaceAll('_', '-'))?.[1] ?? [])
  return regions[0] === undefined ? locale : inRegion(locale, regions[0].toUpperCase())
}

function acceptedBy(header: string, chosen: Locale | undefined): Locale {
  const start = header.slice(0, LONGEST_HEADER)
  return accepted.get(`${chosen?.tag ?? ''} ${start}`, () => choose(tagsIn(start), chosen))
}

/** The tag of the language in a page's URL; null if the URL names no language. */
export const languageInUrl = (url: string): string | null =>
  /[?&]lang=([A-Za-z_-]{2,20})(?:&|$|#)/.exec(url)?.[1] ?? null

/** The language in a page's URL; undefined if the URL names no language that we have. */
export function localeInUrl(url: string): Locale | undefined {
  const tag = languageInUrl(url)
  return tag === null ? undefined : localeOfTag(tag)
}

/** The language that a person chose by a link in this browser before. */
export function localeInCookie(cookies: string | null): Locale | undefined {
  const tag = /(?:^|;\s*)florin_lang=([A-Za-z-]{2,20})(?:;|$)/.exec(cookies ?? '')?.[1]
  return tag === undefined ? undefined : localeOfTag(tag)
}

/**
 * The language of a page: the one in its URL, chosen before, or preferred by the browser. Numbers use the
 * formats of the region for which the browser prefers that language.
 */
export const localeOf = ({ url, headers }: Request): Locale =>
  acceptedBy(headers.get('accept-language') ?? '', localeInUrl(url) ?? localeInCookie(headers.get('cookie')))

const YEAR_SECONDS = 31_536_000

/** The headers that name a page's language, and the request headers on which it depends. */
export const languageHeaders = ({ tag }: Locale): Record<string, string> => ({
  'content-language': tag,
  vary: 'Accept-Language, Cookie',
})

/** The cookie that remembers the language in a page's URL. Without a language there, no cookie is set. */
export function languageCookie({ method, url }: Request, checkoutUrl: string): Record<string, string> {
  const locale = localeInUrl(url)
  if (!locale || method !== 'GET') return {}
  const secure = checkoutUrl.startsWith('https:') ? '; Secure' : ''
  const attributes = `Path=/; Max-Age=${YEAR_SECONDS}; HttpOnly; SameSite=Lax${secure}`
  return { 'set-cookie': `florin_lang=${locale.tag}; ${attributes}` }
}
