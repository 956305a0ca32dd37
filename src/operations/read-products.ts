import type { PageStart } from '../storage/port.ts'
import { type Page, pageOf } from './page.ts'
import { ownProduct, type ProductView, withImages } from './store-product.ts'
import type { World } from './world.ts'

export const readProduct = (world: World, merchantId: string, id: string): Promise<ProductView> =>
  world.storage.read(async tables => {
    const [view] = await withImages(tables, [await ownProduct(tables, merchantId, id)])
    return view!
  })

export const listProducts = (
  world: World,
  merchantId: string,
  size: number,
  after: PageStart | null,
): Promise<Page<ProductView>> =>
  world.storage.read(async tables => {
    const rows = await tables.products.list(merchantId, size + 1, after)
    const { items, next } = pageOf(rows, size, ({ updatedAt, id }) => ({ at: updatedAt, id }))
    return { items: await withImages(tables, items), next }
  })
