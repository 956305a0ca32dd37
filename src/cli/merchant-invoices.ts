import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import { invalid } from '../domain/errors.ts'
import { type InvoicePolicy, type InvoiceSeller, invoicePolicies } from '../domain/invoice.ts'
import type { TaxInput } from '../operations/merchants/steps/parse-tax.ts'

/** Adds the options about tax and invoices to "florin merchant set". */
export const withInvoiceOptions = (command: Command): Command =>
  command
    .option(
      '--tax <file>',
      'JSON file with the tax of orders: country, vatId, rates (a list such as ["DE 19 7"]), prices, ' +
        'sells, reverseCharge, exemption; "" switches it off',
    )
    .option(
      '--invoices <off|paid|manual>',
      'when invoices are issued: paid when an order is paid, manual when a person sends one (default: off)',
    )
    .option(
      '--seller <file>',
      'JSON file with what invoices say about the shop: name, street, postcode, town, country, vatId, ' +
        'taxNumber, contact, phone, email',
    )

export function readInvoices(name: string): InvoicePolicy {
  const policy = invoicePolicies.find(one => one === name)
  if (policy === undefined) throw invalid('invoices', `must be one of ${invoicePolicies.join(', ')}`)
  return policy
}

/** Reads the JSON object in a file. */
function readObject(option: string, file: string): Record<string, unknown> {
  try {
    const content: unknown = JSON.parse(readFileSync(file, 'utf8'))
    if (content !== null && typeof content === 'object' && !Array.isArray(content)) return { ...content }
  } catch {}
  throw invalid(option, 'must be a readable file with a JSON object')
}

type TaxFile = Omit<TaxInput, 'rates'> & { rates: string[] }

const isText = (value: unknown): boolean => typeof value === 'string'
const isOneOf = (words: unknown[]) => (value: unknown) => words.includes(value)

/** The types of the values in a file with tax settings. */
const taxValues: Record<keyof TaxFile, [says: string, takes: (value: unknown) => boolean]> = {
  country: ['a text', isText],
  vatId: ['a text', isText],
  rates: ['a list of texts', value => Array.isArray(value) && value.every(isText)],
  prices: ['included or added', isOneOf(['included', 'added'])],
  sells: ['goods or services', isOneOf(['goods', 'services'])],
  reverseCharge: ['true or false', isOneOf([true, false])],
  exemption: ['a text', isText],
}

const noTax: Omit<TaxInput, 'rates'> = {
  ...{ country: '', vatId: '', prices: 'included', exemption: '', sells: 'goods', reverseCharge: false },
}

/**
 * Reads the tax settings from a file with a JSON object. An empty name gives null, which switches tax off.
 */
export function readTax(file: string): TaxInput | null {
  if (file === '') return null
  const content = readObject('tax', file)
  const known = Object.entries(taxValues)
  for (const [name, value] of Object.entries(content)) {
    const [says, takes] = known.find(([one]) => one === name)?.[1] ?? []
    if (says === undefined) throw invalid('tax', `must have no ${name}: ${Object.keys(taxValues).join(', ')}`)
    if (!takes?.(value)) throw invalid('tax', `must have ${says} as ${name}`)
  }
  const { rates = [], ...chosen } = content as Partial<TaxFile>
  return { ...noTax, ...chosen, rates: rates.join('\n') }
}

const sellerFields: readonly (keyof InvoiceSeller)[] = [
  ...(['name', 'street', 'postcode', 'town', 'country'] as const),
  ...(['vatId', 'taxNumber', 'contact', 'phone', 'email'] as const),
]

/** Reads the seller of invoices from a file with a JSON object of strings. */
export function readSeller(file: string): Partial<Record<keyof InvoiceSeller, string>> {
  const entries = Object.entries(readObject('seller', file))
  for (const [name, value] of entries) {
    const isKnown = sellerFields.some(field => field === name) && typeof value === 'string'
    if (!isKnown)
      throw invalid('seller', `must be an object of texts with the names ${sellerFields.join(', ')}`)
  }
  return Object.fromEntries(entries) as ReturnType<typeof readSeller>
}
