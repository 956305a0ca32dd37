import { countries } from '../domain/country.ts'

/** Every country with its name in a language, sorted by name. */
export function countryNames(language: string): [code: string, name: string][] {
  const names = new Intl.DisplayNames(language, { type: 'region' })
  const { compare } = new Intl.Collator(language)
  return countries
    .map((code): [string, string] => [code, names.of(code) ?? code])
    .sort(([, one], [, other]) => compare(one, other))
}
