import { invalid } from '../../domain/errors.ts'
import { isInUnion } from '../../domain/tax.ts'

type Formats = typeof import('jsvat-next')

const OTHER = /^[A-Z0-9]{4,20}$/

/** The prefix of VAT numbers of a country: the code of the country, except in Greece. */
const prefixOf = (country: string): string => (country === 'GR' ? 'EL' : country)

/**
 * Reads a VAT number of a country: "DE 123 456 788" becomes DE123456788. Its format and its check digits have
 * to be right where the rules for them are known. A valid number may still not be registered.
 */
export function parseVatId(text: string, country: string, at: string): string {
  const vatId = text.replaceAll(/[\s./-]/g, '').toUpperCase()
  const prefix = prefixOf(country)
  // The library is loaded with the first number, because most shops never get a number.
  const { checkVAT, countries: formats }: Formats = require('jsvat-next')
  const format = isInUnion(country) ? formats.find(({ codes: [code] }) => code === country) : undefined
  const isValid = format ? vatId.startsWith(prefix) && checkVAT(vatId, [format]).isValid : OTHER.test(vatId)
  if (!isValid) {
    throw invalid(at, `must be a VAT number of the country, such as ${prefix}123456789, or empty`)
  }
  return vatId
}
