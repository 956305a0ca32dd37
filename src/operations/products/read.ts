import type { PageStart } from '../../domain/page.ts'
import { type Page, pageOf } from '../../domain/page.ts'
import type { Context } from '../context.ts'
import { type ProductView, requireProduct, withImages } from './steps/store.ts'

export const getProduct = (
  context: Pick<Context, 'storage'>,
  merchantId: string,
  id: string,
): Promise<ProductView> =>
  context.storage.read(async tables => {
    const [view] = await withImages(tables, [await requireProduct(tables, merchantId, id)])
    return view!
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
