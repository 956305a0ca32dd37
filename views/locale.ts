import { dateTimeFormat, relativeTimeFormat } from './formats.ts'
import { catalogues } from './texts/catalogues.ts'
import type { Texts } from './texts/types.ts'

/** The language of a page: its texts, its direction and its formats. */
export interface Locale {
  /** tag as in the lang attribute of a page */
  tag: LanguageTag
  dir: 'ltr' | 'rtl'
  /** the language's own name */
  name: string
  readonly texts: Texts
  /**
   * Tag for `Intl`: the language and possibly a region. Pages with equal `formats` print the same. Digits are
   * always Latin, because amounts are copied and compared with a wallet.
   */
  formats: string
  /** formats a time in UTC, such as "Nov 22, 2026, 21:04" */
  dateTime(at: string): string
  /** formats a time in UTC for mails, which people keep: "November 22, 2026 at 21:04" */
  longDateTime(at: string): string
  /** formats a time of day in UTC, with seconds */
  clock(at: string): string
  inMinutes(count: number): string
}

const languages = {
  en: { name: 'English', dir: 'ltr' },
  de: { name: 'Deutsch', dir: 'ltr' },
  fr: { name: 'Français', dir: 'ltr' },
  es: { name: 'Español', dir: 'ltr' },
  'pt-BR': { name: 'Português (Brasil)', dir: 'ltr' },
  it: { name: 'Italiano', dir: 'ltr' },
  nl: { name: 'Nederlands', dir: 'ltr' },
  pl: { name: 'Polski', dir: 'ltr' },
  tr: { name: 'Türkçe', dir: 'ltr' },
  uk: { name: 'Українська', dir: 'ltr' },
  ru: { name: 'Русский', dir: 'ltr' },
  ar: { name: 'العربية', dir: 'rtl' },
  he: { name: 'עברית', dir: 'rtl' },
  hi: { name: 'हिन्दी', dir: 'ltr' },
  id: { name: 'Bahasa Indonesia', dir: 'ltr' },
  vi: { name: 'Tiếng Việt', dir: 'ltr' },
  th: { name: 'ไทย', dir: 'ltr' },
  ja: { name: '日本語', dir: 'ltr' },
  ko: { name: '한국어', dir: 'ltr' },
  'zh-Hans': { name: '简体中文', dir: 'ltr' },
  'zh-Hant': { name: '繁體中文', dir: 'ltr' },
} as const satisfies Record<keyof typeof catalogues, { name: string; dir: 'ltr' | 'rtl' }>

type LanguageTag = keyof typeof languages

/** Formats a time in UTC. */
function format(tag: string, options: Intl.DateTimeFormatOptions): (at: string) => string {
  let known: Intl.DateTimeFormat | undefined
  return at => {
    known ??= dateTimeFormat(tag, { ...options, timeZone: 'UTC', hourCycle: 'h23' })
    return known.format(new Date(at))
  }
}

const localeOfTag = (tag: LanguageTag): Locale => {
  const { name, dir } = languages[tag]
  let texts: Texts | undefined
  /** texts of `inMinutes` by number; the lifetime of an order limits their number */
  const minutes: Record<number, string> = {}
  const formats = `${tag}-u-nu-latn`
  const dateTime = format(formats, { dateStyle: 'medium', timeStyle: 'short' })
  const longDateTime = format(formats, { dateStyle: 'long', timeStyle: 'short' })
  const clock = format(formats, { timeStyle: 'medium' })
  return {
    tag,
    name,
    dir,
    get texts() {
      texts ??= catalogues[tag]()
      return texts
    },
    formats,
    dateTime,
    longDateTime,
    clock,
    inMinutes: count => {
      minutes[count] ??= relativeTimeFormat(formats).format(count, 'minute')
      return minutes[count]
    },
  }
}

/** All languages of the pages, in the order of the selector. */
export const locales: readonly Locale[] = (Object.keys(languages) as LanguageTag[]).map(localeOfTag)

export const english: Locale = locales[0]!
