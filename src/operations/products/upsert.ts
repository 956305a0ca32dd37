import { invalid, Refusal } from '../../domain/errors.ts'
import type { Product } from '../../domain/product.ts'
import type { AuditContext } from '../audit/record.ts'
import type { Context } from '../context.ts'
import { type NewProduct, parseNewProduct } from './steps/parse-request.ts'
import { addProduct, alterProduct, nextInstant, type ProductView, withImages } from './steps/store.ts'

interface UpsertProduct extends NewProduct {
  productUUID: string
}

/** Creates or changes products by IDs that the caller chose, all or none. */
export async function upsertProducts(
  context: AuditContext & Pick<Context, 'storage' | 'images' | 'outbound'>,
  merchantId: string,
  inputs: UpsertProduct[],
): Promise<{ views: ProductView[]; createdCount: number }> {
  const requests = new Map<string, Awaited<ReturnType<typeof parseNewProduct>>>()
  for (const [index, input] of inputs.entries()) {
    const at = `/items/${index}`
    const id = input.productUUID.toLowerCase()
    if (requests.has(id)) throw invalid(`${at}/productUUID`, 'must not be repeated')
    requests.set(id, await parseNewProduct(context, merchantId, input, at))
  }
  return context.storage.write(async tables => {
    const now = await nextInstant(context, tables, merchantId)
    const products: Product[] = []
    let createdCount = 0
    for (const [id, request] of requests) {
      const known = await tables.products.find(id)
      if (known && known.merchantId !== merchantId) {
        throw new Refusal(
          'forbidden',
          `Product ${id} belongs to another merchant. Choose another productUUID.`,
        )
      }
      if (!known) createdCount++
      const stored = known
        ? alterProduct(context, tables, known, request, now)
        : addProduct(context, tables, id, merchantId, request, now)
      products.push(await stored)
    }
    return { views: await withImages(tables, products), createdCount }
  })
}
