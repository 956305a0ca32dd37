import { assert, Refusal } from '../../domain/errors.ts'
import { type Page, type PageStart, pageOf } from '../../domain/page.ts'
import type { Product, ProductImage } from '../../domain/product.ts'
import type { Context } from '../context.ts'
import { type ProductView, requireProduct, withImages } from './steps/store.ts'

export const getProduct = (
  context: Pick<Context, 'storage'>,
  merchantId: string,
  id: string,
): Promise<ProductView> =>
  context.storage.read(async tables => {
    const [view] = await withImages(tables, [await requireProduct(tables, merchantId, id)])
    assert(view, 'each product has a view')
    return view
  })

export const listProducts = (
  context: Pick<Context, 'storage'>,
  merchantId: string,
  size: number,
  after: PageStart | null,
): Promise<Page<ProductView>> =>
  context.storage.read(async tables => {
    const rows = await tables.products.list(merchantId, size + 1, after)
    const { items, next } = pageOf(rows, size, ({ updatedAt, id }) => ({ at: updatedAt, id }))
    return { items: await withImages(tables, items), next }
  })

/** Max counted orders of a product. */
export const ORDERS_MAX = 1000

/** A product with the number of its orders. */
export interface CountedProduct {
  product: Product
  orders: number
}

/** A page of the products that match, last updated first. */
export const browseProducts = (
  { storage }: Pick<Context, 'storage'>,
  query: { merchantId: string; name?: string; active?: boolean | undefined },
  size: number,
  after: PageStart | null,
): Promise<Page<CountedProduct>> =>
  storage.read(async tables => {
    const rows = await tables.products.browse(query, size + 1, after)
    const { items, next } = pageOf(rows, size, ({ updatedAt, id }) => ({ at: updatedAt, id }))
    const counted: CountedProduct[] = []
    for (const product of items) {
      counted.push({ product, orders: await tables.products.countOrders(product.id, ORDERS_MAX) })
    }
    return { items: counted, next }
  })

/** Returns an uploaded image. Throws not_found if its merchant is suspended. */
export const getImage = (context: Pick<Context, 'storage'>, id: string): Promise<ProductImage> =>
  context.storage.read(async tables => {
    const image = await tables.images.find(id)
    const merchant = image && (await tables.merchants.find(image.merchantId))
    if (!image || merchant?.status !== 'active') throw new Refusal('not_found', 'Image not found.')
    return image
  })
