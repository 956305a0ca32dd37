import { Refusal } from '../../domain/errors.ts'
import type { ProductImage } from '../../domain/product.ts'
import type { Context } from '../context.ts'

/** Returns an uploaded image. Throws not_found if its merchant is suspended. */
export const getImage = (context: Pick<Context, 'storage'>, id: string): Promise<ProductImage> =>
  context.storage.read(async tables => {
    const image = await tables.images.find(id)
    const merchant = image && (await tables.merchants.find(image.merchantId))
    if (!image || merchant?.status !== 'active') throw new Refusal('not_found', 'Image not found.')
    return image
  })
