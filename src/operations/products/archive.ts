import { invalid } from '../../domain/errors.ts'
import type { Product } from '../../domain/product.ts'
import type { AuditContext } from '../audit/record.ts'
import type { Context } from '../context.ts'
import { alterProduct, nextInstant, type ProductView, requireProduct, withImages } from './steps/store.ts'

/** Archives or restores products, all or none. */
export async function archiveProducts(
  context: AuditContext & Pick<Context, 'storage'>,
  merchantId: string,
  ids: string[],
  active: boolean,
): Promise<ProductView[]> {
  const distinct = new Set(ids.map(id => id.toLowerCase()))
  if (distinct.size < ids.length) throw invalid('/productUUIDs', 'must contain each UUID only once')
  return context.storage.write(async tables => {
    const now = await nextInstant(context, tables, merchantId)
    const products: Product[] = []
    for (const id of distinct) {
      const known = await requireProduct(tables, merchantId, id)
      products.push(await alterProduct(context, tables, known, { members: { active }, image: null }, now))
    }
    return withImages(tables, products)
  })
}
