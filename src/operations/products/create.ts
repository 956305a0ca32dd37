import type { Product } from '../../domain/product.ts'
import type { AuditContext } from '../audit/record.ts'
import type { Context } from '../context.ts'
import { type NewProduct, parseNewProduct } from './steps/parse-request.ts'
import { addProduct, nextInstant, type ProductView, withImages } from './steps/store.ts'

/** Creates products, all or none. `at` gives the path of each product in the body. */
export async function createProducts(
  context: AuditContext & Pick<Context, 'storage' | 'images' | 'outbound'>,
  merchantId: string,
  inputs: NewProduct[],
  at: (index: number) => string,
): Promise<ProductView[]> {
  const requests: Awaited<ReturnType<typeof parseNewProduct>>[] = []
  for (const [index, input] of inputs.entries()) {
    requests.push(await parseNewProduct(context, merchantId, input, at(index)))
  }
  return context.storage.write(async tables => {
    const now = await nextInstant(context, tables, merchantId)
    const products: Product[] = []
    for (const request of requests) {
      products.push(await addProduct(context, tables, context.ids.uuid(), merchantId, request, now))
    }
    return withImages(tables, products)
  })
}
