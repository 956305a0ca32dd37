import type { DashboardLocale } from '../../../views/dashboard/locale.ts'
import type { Options } from '../../../views/dashboard/parts.ts'
import { currencies } from '../../domain/currency.ts'
import { countryNames } from '../../present/countries.ts'

const named = new Map<string, Options>()

/** Every currency that orders can be priced in, such as "EUR – Euro". */
export function currencyChoices({ formats }: DashboardLocale): Options {
  const known = named.get(formats)
  if (known) return known
  const names = new Intl.DisplayNames(formats, { type: 'currency' })
  const options = currencies.map(code => [code, `${code} – ${names.of(code) ?? code}`] as const)
  named.set(formats, options)
  return options
}

const countriesIn = new Map<string, Options>()

/** Every country by its name in the language of the page. */
export function countryChoices({ formats }: DashboardLocale): Options {
  const known = countriesIn.get(formats)
  if (known) return known
  const options = countryNames(formats)
  countriesIn.set(formats, options)
  return options
}

/** The names of all time zones, which are the same in every language. */
export const timeZoneChoices = (): Options => {
  const zones = Intl.supportedValuesOf('timeZone').filter(name => name !== 'UTC')
  return ['UTC', ...zones].map(name => [name, name] as const)
}
