import { dateTimeFormat, numberFormat } from '../formats.ts'
import type { Texts } from './texts/types.ts'

/** Loaded at their first use. `require` is synchronous, and the bundler recognizes it. */
const catalogues = {
  en: () => (require('./texts/made/en.ts') as typeof import('./texts/made/en.ts')).texts,
  de: () => (require('./texts/made/de.ts') as typeof import('./texts/made/de.ts')).texts,
} as const satisfies Record<string, () => Texts>
export const dashboardLanguageNames = { en: 'English', de: 'Deutsch' } as const

export type DashboardLanguage = keyof typeof catalogues

export const dashboardLanguages = Object.keys(catalogues) as DashboardLanguage[]

/** The options of a form's choice of language. */
export const languageOptions = (): (readonly [DashboardLanguage, string])[] =>
  dashboardLanguages.map(tag => [tag, dashboardLanguageNames[tag]] as const)

/** An exact amount, as a decimal number, with the code of its currency. */
export interface Money {
  amount: string
  currency: string
}

/** The language of the dashboard and the time zone of the shop. */
export interface DashboardLocale {
  /** tag as in the lang attribute of a page */
  tag: DashboardLanguage
  /** the language's own name */
  name: string
  texts: Texts
  /** tag for `Intl` */
  formats: string
  /** an IANA name, such as Europe/Berlin */
  timeZone: string
  /** shop of the page, which its forms name; null before a shop exists, and in mails */
  shopId: string | null
  /** value of the hidden field STAMP_FIELD; null if the person must prove again who they are */
  formStamp: string | null
  /** formats a time in the shop's zone, such as "Nov 22, 2026, 21:04" */
  dateTime(at: number): string
  /** formats a day in the shop's zone, such as "Nov 22, 2026" */
  date(at: number): string
  /** formats a whole number with its separators */
  number(value: number): string
  /** formats an exact amount in a currency: "$25.00", "25,00 $" */
  money(money: Money): string
  /** formats an exact amount of a coin with the decimal sign of this language */
  coins(amount: string): string
  /** translates a name or amount such as "USDC on Polygon"; one without a network stays unchanged */
  coin(name: string): string
}

const made = new Map<string, DashboardLocale>()

/** Formats amounts in a language, exactly even beyond the precision of a double. */
const moneyIn =
  (formats: string): DashboardLocale['money'] =>
  ({ amount, currency }) => {
    const minimumFractionDigits = (amount.split('.')[1] ?? '').length
    const options = { style: 'currency', currency, minimumFractionDigits } as const
    return numberFormat(formats, options).format(amount as unknown as number)
  }

function makeLocale(tag: DashboardLanguage, timeZone: string): DashboardLocale {
  const formats = `${tag}-u-nu-latn`
  const dateTime = dateTimeFormat(formats, {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone,
    hourCycle: 'h23',
  })
  const date = dateTimeFormat(formats, { dateStyle: 'medium', timeZone })
  const number = numberFormat(formats, {})
  const texts = catalogues[tag]()
  const point = number.formatToParts(0.5).find(({ type }) => type === 'decimal')?.value ?? '.'
  return {
    tag,
    name: dashboardLanguageNames[tag],
    texts,
    formats,
    timeZone,
    shopId: null,
    formStamp: null,
    dateTime: at => dateTime.format(at),
    date: at => date.format(at),
    number: value => number.format(value),
    money: moneyIn(formats),
    coins: amount => amount.replace('.', point),
    coin(name) {
      const [coin = name, chain, ...rest] = name.split(' on ')
      return chain === undefined || rest.length > 0
        ? name
        : texts.frame.coinOnNetwork({ coin, network: chain })
    },
  }
}

/** The dashboard in a language; in English if there are no texts in that language. */
export function dashboardLocale(tag: string, timeZone: string): DashboardLocale {
  const known = dashboardLanguages.find(one => one === tag) ?? 'en'
  const key = `${known} ${timeZone}`
  const locale = made.get(key) ?? makeLocale(known, timeZone)
  made.set(key, locale)
  return locale
}
