import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import { invalid } from '../domain/errors.ts'
import { type InvoicePolicy, type InvoiceSeller, invoicePolicies } from '../domain/invoice.ts'

/** Adds the options about invoices to "florin merchant set". */
export const withInvoiceOptions = (command: Command): Command =>
  command
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

const sellerFields: readonly (keyof InvoiceSeller)[] = [
  ...(['name', 'street', 'postcode', 'town', 'country'] as const),
  ...(['vatId', 'taxNumber', 'contact', 'phone', 'email'] as const),
]

/** The seller of invoices, from a file with a JSON object of texts. */
export function readSeller(file: string): Partial<Record<keyof InvoiceSeller, string>> {
  let content: unknown
  try {
    content = JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    throw invalid('seller', 'must be a readable file with a JSON object')
  }
  const entries = Object.entries(content ?? {})
  for (const [name, value] of entries) {
    const isKnown = sellerFields.some(field => field === name) && typeof value === 'string'
    if (!isKnown)
      throw invalid('seller', `must be an object of texts with the names ${sellerFields.join(', ')}`)
  }
  return Object.fromEntries(entries)
}
