import { invalid } from '../../domain/errors.ts'
import type { BillingDetails } from '../../domain/invoice.ts'
import { checkCountry, checkLine, checkVatId } from '../merchants/steps/parse-invoicing.ts'

export type BillingInput = { [Name in keyof BillingDetails]?: string | undefined }

/** Checks the billing details of a buyer, as a person of the shop entered them. */
export function parseBilling(input: BillingInput): BillingDetails {
  const line = (name: keyof BillingDetails): string => checkLine(input[name] ?? '', name)
  const name = line('name')
  if (name === '') throw invalid('name', 'is missing: an invoice names its buyer')
  return {
    name,
    street: line('street'),
    postcode: line('postcode'),
    town: line('town'),
    country: checkCountry(line('country'), 'country'),
    vatId: checkVatId(line('vatId'), 'vatId'),
    reference: line('reference') || null,
  }
}
