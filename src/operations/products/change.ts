import type { World } from '../context.ts'
import { type ProductInput, readProductChange } from './steps/parse-request.ts'
import { alterProduct, nextInstant, ownProduct, type ProductView, withImages } from './steps/store.ts'

/** Replaces the members that are named. Orders that exist keep their snapshots. */
export async function changeProduct(
  world: World,
  merchantId: string,
  id: string,
  input: ProductInput,
): Promise<ProductView> {
  const request = await readProductChange(world, merchantId, input)
  return world.storage.write(async tables => {
    const known = await ownProduct(tables, merchantId, id)
    const product = await alterProduct(tables, known, request, await nextInstant(world, tables, merchantId))
    const [view] = await withImages(tables, [product])
    return view!
  })
}
