import type { Merchant } from '../../domain/merchant.ts'
import type { AuditContext } from '../audit/record.ts'
import type { Context } from '../context.ts'
import { createMerchant } from './create.ts'
import { type BrandChange, parseBrand } from './steps/parse-brand.ts'

interface NewShop extends Pick<BrandChange, 'logo' | 'color'> {
  name: string
  email: string
  currency: string
  timeZone: string
  language: string
}

/** Creates a merchant with its brand. If the logo is refused, nothing is stored. */
export async function openShop(
  context: AuditContext & Pick<Context, 'storage' | 'images' | 'outbound'>,
  { logo, color, ...input }: NewShop,
): Promise<Merchant> {
  const id = context.ids.uuid()
  const { image, ...brand } = await parseBrand(context, id, { logo, color })
  return createMerchant(context, { ...input, id, brand, image })
}
