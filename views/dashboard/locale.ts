import { dateTimeFormat, numberFormat } from '../formats.ts'
import type { Texts } from './texts/types.ts'

/** Loaded when somebody signs in. `require` loads at once, and the bundler sees it. */
const catalogues = {
  en: () => (require('./texts/made/en.ts') as typeof import('./texts/made/en.ts')).texts,
  de: () => (require('./texts/made/de.ts') as typeof import('./texts/made/de.ts')).texts,
} as const satisfies Record<string, () => Texts>
export const dashboardLanguageNames = { en: 'English', de: 'Deutsch' } as const

export type DashboardLanguage = keyof typeof catalogues

export const dashboardLanguages = Object.keys(catalogues) as DashboardLanguage[]

/** The languages of the dashboard, to choose from. */
export const languageOptions = (): (readonly [DashboardLanguage, string])[] =>
  dashboardLanguages.map(tag => [tag, dashboardLanguageNames[tag]] as const)

/** An exact amount, as a decimal number, with the code of its currency. */
export interface Money {
  amount: string
  currency: string
}

/** The language of the dashboard and the time zone of the shop. */
export interface DashboardLocale {
  /** as in the lang attribute of a page */
  tag: DashboardLanguage
  /** the language in its own words */
  name: string
  texts: Texts
  /** for `Intl` */
  formats: string
  /** an IANA name, such as Europe/Berlin */
  timeZone: string
  /** the shop of the page, which its forms name; null before there is one, and in mails */
  shopId: string | null
  /** of forms that are shown while the person's proof of identity counts; null when they have to give one */
  formStamp: string | null
  /** a time in the zone of the shop, such as "Nov 22, 2026, 21:04" */
  dateTime(at: number): string
  /** a day in the zone of the shop, such as "Nov 22, 2026" */
  date(at: number): string
  /** a whole number with its separators */
  number(value: number): string
  /** an exact amount in a currency: "$25.00", "25,00 $" */
  money(money: Money): string
  /** an exact amount of a coin, with the decimal sign of this language */
  coins(amount: string): string
  /** "USDC on Polygon", or an amount of it, in this language. What has no such network stays as it is. */
  coin(name: string): string
}

const made = new Map<string, DashboardLocale>()

/** Prints amounts of a language. Exact even beyond the precision of a double. */
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

/** The dashboard in a language; English where there is no catalogue for it. */
export function dashboardLocale(tag: string, timeZone: string): DashboardLocale {
  const known = dashboardLanguages.find(one => one === tag) ?? 'en'
  const key = `${known} ${timeZone}`
  const locale = made.get(key) ?? makeLocale(known, timeZone)
  made.set(key, locale)
  return locale
}
