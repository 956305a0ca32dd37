import { ar } from './texts/ar/index.ts'
import { de } from './texts/de/index.ts'
import { en } from './texts/en/index.ts'
import { es } from './texts/es/index.ts'
import { fr } from './texts/fr/index.ts'
import { he } from './texts/he/index.ts'
import { hi } from './texts/hi/index.ts'
import { id } from './texts/id/index.ts'
import { it } from './texts/it/index.ts'
import { ja } from './texts/ja/index.ts'
import { ko } from './texts/ko/index.ts'
import { nl } from './texts/nl/index.ts'
import { pl } from './texts/pl/index.ts'
import { ptBR } from './texts/pt-BR/index.ts'
import { ru } from './texts/ru/index.ts'
import { th } from './texts/th/index.ts'
import { tr } from './texts/tr/index.ts'
import type { Texts } from './texts/types.ts'
import { uk } from './texts/uk/index.ts'
import { vi } from './texts/vi/index.ts'
import { zhHans } from './texts/zh-Hans/index.ts'
import { zhHant } from './texts/zh-Hant/index.ts'

/** The language of a page: its texts, its direction and its formats. */
export interface Locale {
  /** as in the lang attribute of a page */
  tag: LanguageTag
  dir: 'ltr' | 'rtl'
  /** the language in its own words */
  name: string
  texts: Texts
  /** for `Intl`: digits are always Latin, because amounts are copied and compared with a wallet */
  formats: string
  /** a time in UTC, such as "Nov 22, 2026, 21:04" */
  dateTime(at: string): string
  /** the time of day in UTC, with seconds */
  clock(at: string): string
}

const catalogues = {
  en: { name: 'English', dir: 'ltr', texts: en },
  de: { name: 'Deutsch', dir: 'ltr', texts: de },
  fr: { name: 'Français', dir: 'ltr', texts: fr },
  es: { name: 'Español', dir: 'ltr', texts: es },
  'pt-BR': { name: 'Português (Brasil)', dir: 'ltr', texts: ptBR },
  it: { name: 'Italiano', dir: 'ltr', texts: it },
  nl: { name: 'Nederlands', dir: 'ltr', texts: nl },
  pl: { name: 'Polski', dir: 'ltr', texts: pl },
  tr: { name: 'Türkçe', dir: 'ltr', texts: tr },
  uk: { name: 'Українська', dir: 'ltr', texts: uk },
  ru: { name: 'Русский', dir: 'ltr', texts: ru },
  ar: { name: 'العربية', dir: 'rtl', texts: ar },
  he: { name: 'עברית', dir: 'rtl', texts: he },
  hi: { name: 'हिन्दी', dir: 'ltr', texts: hi },
  id: { name: 'Bahasa Indonesia', dir: 'ltr', texts: id },
  vi: { name: 'Tiếng Việt', dir: 'ltr', texts: vi },
  th: { name: 'ไทย', dir: 'ltr', texts: th },
  ja: { name: '日本語', dir: 'ltr', texts: ja },
  ko: { name: '한국어', dir: 'ltr', texts: ko },
  'zh-Hans': { name: '简体中文', dir: 'ltr', texts: zhHans },
  'zh-Hant': { name: '繁體中文', dir: 'ltr', texts: zhHant },
} as const satisfies Record<string, { name: string; dir: 'ltr' | 'rtl'; texts: Texts }>

type LanguageTag = keyof typeof catalogues

const FIRST_STRONG_ISOLATE = '\u2068'
const POP_ISOLATE = '\u2069'
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/

/** Keeps a name or amount together in a text of the other direction. */
const isolate = (value: unknown, dir: Locale['dir']): unknown =>
  typeof value === 'string' && (dir === 'rtl' || rightToLeft.test(value))
    ? `${FIRST_STRONG_ISOLATE}${value}${POP_ISOLATE}`
    : value

/** The same catalogue, whose functions isolate the values that they are given. */
function isolating<Catalogue>(catalogue: Catalogue, dir: Locale['dir']): Catalogue {
  if (typeof catalogue === 'function') {
    return ((...values: unknown[]) =>
      catalogue(...values.map(value => isolate(value, dir)))) as unknown as Catalogue
  }
  if (typeof catalogue !== 'object' || catalogue === null) return catalogue
  const entries = Object.entries(catalogue).map(([key, text]) => [key, isolating(text, dir)])
  return Object.fromEntries(entries) as Catalogue
}

/** Formats a time in UTC. A format takes long to make, so it is made once, when it is needed. */
function format(tag: string, options: Intl.DateTimeFormatOptions): (at: string) => string {
  let made: Intl.DateTimeFormat | undefined
  return at => {
    made ??= new Intl.DateTimeFormat(tag, { ...options, timeZone: 'UTC', hourCycle: 'h23' })
    return made.format(new Date(at))
  }
}

const localeOfTag = (tag: LanguageTag): Locale => {
  const { name, dir, texts } = catalogues[tag]
  const formats = `${tag}-u-nu-latn`
  const dateTime = format(formats, { dateStyle: 'medium', timeStyle: 'short' })
  const clock = format(formats, { timeStyle: 'medium' })
  return {
    tag,
    name,
    dir,
    texts: isolating<Texts>(texts, dir),
    formats,
    dateTime,
    clock,
  }
}

/** Every language of the pages, in the order of the selector. */
export const locales: readonly Locale[] = (Object.keys(catalogues) as LanguageTag[]).map(localeOfTag)

export const english: Locale = locales[0]!
