import { invalid } from '../../../domain/errors.ts'
import {
  type InvoicePolicy,
  type InvoiceSeller,
  type InvoiceSettings,
  missingDetails,
} from '../../../domain/invoice.ts'
import type { Merchant } from '../../../domain/merchant.ts'
import { ONE_LINE_IN_WORDS, oneLineOf } from '../../../domain/name.ts'
import { checkEmail } from '../create.ts'

/** The seller's details in invoices, as they are entered. An empty text removes a detail. */
type SellerChange = { [Name in keyof InvoiceSeller]?: string | undefined }

export interface InvoicingChange {
  invoices?: InvoicePolicy | undefined
  seller?: SellerChange | undefined
}

const TEXT_MAX = 200
const WHERE = 'Enter it under Invoices in the dashboard, or in the file of --seller'

const nobody: InvoiceSeller = {
  name: '',
  street: '',
  postcode: '',
  town: '',
  country: '',
  vatId: null,
  taxNumber: null,
  contact: null,
  phone: null,
  email: null,
}

/** The name of a field in refusals, such as seller-vatId. */
const at = (name: string): string => `seller-${name}`

/** Checks a part of an address, which has to be one line. */
export function checkLine(text: string, name: string): string {
  const line = text.trim()
  if ([...line].length > TEXT_MAX) throw invalid(name, `must have at most ${TEXT_MAX} characters`)
  if (oneLineOf(line) !== line) throw invalid(name, ONE_LINE_IN_WORDS)
  return line
}

export function checkCountry(text: string, name: string): string {
  const country = text.trim().toUpperCase()
  if (country !== '' && !/^[A-Z]{2}$/.test(country)) {
    throw invalid(name, 'must be the code of a country with two letters, such as DE')
  }
  return country
}

/** Checks a VAT ID. It begins with the country that issued it; Greece uses EL. */
export function checkVatId(text: string, name: string): string | null {
  const id = text.replace(/[\s.-]/g, '').toUpperCase()
  if (id !== '' && !/^[A-Z]{2}[A-Z0-9+*]{2,13}$/.test(id)) {
    throw invalid(name, 'must be a VAT ID with its country, such as DE123456789')
  }
  return id || null
}

function parseSeller(change: SellerChange, known: InvoiceSeller): InvoiceSeller {
  const line = (name: keyof InvoiceSeller): string => checkLine(change[name] ?? known[name] ?? '', at(name))
  const email = line('email')
  return {
    name: line('name'),
    street: line('street'),
    postcode: line('postcode'),
    town: line('town'),
    country: checkCountry(line('country'), at('country')),
    vatId: checkVatId(line('vatId'), at('vatId')),
    taxNumber: line('taxNumber') || null,
    contact: line('contact') || null,
    phone: line('phone') || null,
    email: email === '' ? null : checkEmail(email, at('email')),
  }
}

/**
 * The new settings of a shop's invoices. Invoices cannot be switched on while details are missing that the
 * law requires.
 */
export function parseInvoicing(
  { invoices, seller }: InvoicingChange,
  { invoicing, name, tax }: Pick<Merchant, 'invoicing' | 'name' | 'tax'>,
): InvoiceSettings | null {
  if (invoices === undefined && seller === undefined) return invoicing
  const known = invoicing?.seller ?? {
    ...nobody,
    name,
    country: tax?.country ?? '',
    vatId: tax?.vatId ?? null,
  }
  const next = { policy: invoices ?? invoicing?.policy ?? 'off', seller: parseSeller(seller ?? {}, known) }
  const [missing] = next.policy === 'off' ? [] : missingDetails(next.seller)
  if (missing === 'vatId')
    throw invalid(at(missing), `is missing: invoices need a VAT ID or a tax number. ${WHERE}`)
  if (missing !== undefined)
    throw invalid(at(missing), `is missing: invoices must name their seller. ${WHERE}`)
  return next
}
