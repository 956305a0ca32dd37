import type { Merchant } from '../../../domain/merchant.ts'
import type { ProductImage, StoredImageType } from '../../../domain/product.ts'
import type { Tables } from '../../../storage/port.ts'

/** Many mail programs show neither WebP nor SVG. */
const shownTypes: readonly StoredImageType[] = ['image/png', 'image/jpeg']

/** A merchant as mails show it, and the logo that a mail contains. */
interface MailedMerchant {
  merchant: Merchant
  logo: ProductImage | null
}

/** Leaves out a logo that mail programs do not show. */
export async function withLogo(tables: Tables, merchant: Merchant): Promise<MailedMerchant> {
  const image = merchant.logo && (await tables.images.find(merchant.logo.id))
  if (image && shownTypes.includes(image.type)) return { merchant, logo: image }
  return { merchant: { ...merchant, logo: null }, logo: null }
}
