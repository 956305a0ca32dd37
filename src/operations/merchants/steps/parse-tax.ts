import { isCountry } from '../../../domain/country.ts'
import { invalid } from '../../../domain/errors.ts'
import type { CountryRates, ShopTax, TaxRate } from '../../../domain/tax.ts'
import { parseVatId } from '../vat-id.ts'

/** The tax settings of a shop as a person enters them. */
export interface TaxInput {
  country: string
  vatId: string
  prices: ShopTax['prices']
  /** reason why the shop charges no tax; empty if it does */
  exemption: string
  sells: ShopTax['sells']
  reverseCharge: boolean
  /** a country and its rates in percent on each line: "DE 19 7" */
  rates: string
}

const EXEMPTION_MAX = 200
const LINES_MAX = 250
const PERCENT = '(\\d{1,2}(?:[.,]\\d{1,2})?) ?%?'
const LINE = new RegExp(`^([A-Z]{2})[ \\t]+${PERCENT}(?:[ \\t]+${PERCENT})?$`, 'i')

/** Converts a percentage, such as "19" or "25.5", to basis points, without a float in between. */
function basisPoints(percent: string): TaxRate {
  const [whole = '0', part = ''] = percent.replace(',', '.').split('.')
  return Number(whole + part.padEnd(2, '0'))
}

function parseLine(line: string): CountryRates {
  const [, code = '', standard = '', reduced] = LINE.exec(line) ?? []
  const country = code.toUpperCase()
  if (!isCountry(country)) {
    throw invalid('rates', 'must have a country and its rates in percent on each line, such as DE 19 7')
  }
  return {
    country,
    standard: basisPoints(standard),
    reduced: reduced === undefined ? null : basisPoints(reduced),
  }
}

function parseRates(text: string): CountryRates[] {
  const lines = text
    .split(/[\r\n|;]+/)
    .map(line => line.trim())
    .filter(line => line !== '')
  if (lines.length > LINES_MAX) throw invalid('rates', `must have at most ${LINES_MAX} lines`)
  const rates = lines.map(parseLine)
  const named = new Set(rates.map(({ country }) => country))
  if (named.size < rates.length) throw invalid('rates', 'must name each country once')
  return rates
}

/** Checks the tax settings of a shop. A shop that charges tax needs the rate of its country. */
export function parseTax(input: TaxInput): ShopTax {
  const { country, prices, sells, reverseCharge } = input
  if (!isCountry(country)) throw invalid('country', 'must be the code of a country, such as DE')
  const exemption = input.exemption.replaceAll(/\s+/g, ' ').trim() || null
  if (exemption !== null && exemption.length > EXEMPTION_MAX) {
    throw invalid('exemption', `must have at most ${EXEMPTION_MAX} characters`)
  }
  const rates = parseRates(input.rates)
  if (exemption === null && !rates.some(one => one.country === country)) {
    throw invalid('rates', 'must have the rate of the country of the shop')
  }
  const vatId = input.vatId.trim() === '' ? null : parseVatId(input.vatId, country, 'vatId')
  if (reverseCharge && vatId === null) {
    throw invalid('vatId', 'is needed for reverse charge')
  }
  return { country, vatId, prices, exemption, sells, reverseCharge, rates }
}
