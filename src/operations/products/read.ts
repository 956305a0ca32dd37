import type { PageStart } from '../../domain/page.ts'
import { type Page, pageOf } from '../../domain/page.ts'
import type { World } from '../context.ts'
import { ownProduct, type ProductView, withImages } from './steps/store.ts'

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
