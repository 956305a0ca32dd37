import { isCountry } from '../../../domain/country.ts'
import { invalid } from '../../../domain/errors.ts'
import type { TaxPayer } from '../../../domain/tax.ts'
import { parseVatId } from '../../merchants/vat-id.ts'

/** The country and VAT number of a buyer, as they were entered. */
export interface TaxPayerInput {
  country: string
  vatId?: string | undefined
}

/** Checks what buyers enter about themselves. A buyer with a VAT number is a business. */
export function parseTaxPayer({ country, vatId = '' }: TaxPayerInput): TaxPayer {
  if (!isCountry(country)) throw invalid('/country', 'must be the code of a country, such as DE')
  return { country, vatId: vatId.trim() === '' ? null : parseVatId(vatId, country, '/vatId') }
}
