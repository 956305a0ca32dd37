import type { Product } from '../../domain/product.ts'
import type { World } from '../context.ts'
import { type NewProduct, readNewProduct } from './steps/parse-request.ts'
import { addProduct, nextInstant, type ProductView, withImages } from './steps/store.ts'

/** Makes products, all or none; `at` says where in the body each stands. */
export async function createProducts(
  world: World,
  merchantId: string,
  inputs: NewProduct[],
  at: (index: number) => string,
): Promise<ProductView[]> {
  const requests: Awaited<ReturnType<typeof readNewProduct>>[] = []
  for (const [index, input] of inputs.entries()) {
    requests.push(await readNewProduct(world, merchantId, input, at(index)))
  }
  return world.storage.write(async tables => {
    const now = await nextInstant(world, tables, merchantId)
    const products: Product[] = []
    for (const request of requests) {
      products.push(await addProduct(tables, world.ids.uuid(), merchantId, request, now))
    }
    return withImages(tables, products)
  })
}
