import { isCountry } from '../../../domain/country.ts'
import { invalid } from '../../../domain/errors.ts'
import type { TaxPayer } from '../../../domain/tax.ts'
import { parseVatId } from '../../merchants/vat-id.ts'

/** As it was entered. */
export interface TaxPayerInput {
  country: string
  vatId?: string | undefined
}

/** Checks what a buyer says about themselves. Businesses have a VAT number. */
export function parseTaxPayer({ country, vatId = '' }: TaxPayerInput): TaxPayer {
  if (!isCountry(country)) throw invalid('/country', 'must be the code of a country, such as DE')
  return { country, vatId: vatId.trim() === '' ? null : parseVatId(vatId, country, '/vatId') }
}
