import { assert, Refusal, staleForm } from '../../domain/errors.ts'
import type { Product } from '../../domain/product.ts'
import type { AuditContext } from '../audit/record.ts'
import type { Context } from '../context.ts'
import { type ProductExtras, type ProductInput, parseProductChange } from './steps/parse-request.ts'
import { alterProduct, nextInstant, type ProductView, requireProduct, withImages } from './steps/store.ts'

interface ChangeOptions {
  /** `updatedAt` of the product as the caller saw it; later changes are not overwritten */
  seenUpdatedAt?: number | undefined
  /** true if the caller may change what buyers pay */
  maySetPrice?: boolean
}

const isOtherPrice = (known: Product, change: Partial<Product>): boolean =>
  (['amount', 'currency', 'allowPriceOverride', 'taxClass'] as const).some(
    name => change[name] !== undefined && change[name] !== known[name],
  )

/** Replaces the given properties. Existing orders keep their snapshots. */
export async function changeProduct(
  context: AuditContext & Pick<Context, 'storage' | 'images' | 'outbound'>,
  merchantId: string,
  id: string,
  input: ProductInput & ProductExtras,
  { seenUpdatedAt, maySetPrice = true }: ChangeOptions = {},
): Promise<ProductView> {
  const request = await parseProductChange(context, merchantId, input)
  return context.storage.write(async tables => {
    const known = await requireProduct(tables, merchantId, id)
    if (seenUpdatedAt !== undefined && known.updatedAt !== seenUpdatedAt) throw staleForm()
    if (!maySetPrice && isOtherPrice(known, request.members)) {
      const message = 'Only an owner may change the price of a product.'
      throw new Refusal('forbidden', message, { reason: { kind: 'owner_sets_prices' } })
    }
    const product = await alterProduct(
      context,
      tables,
      known,
      request,
      await nextInstant(context, tables, merchantId),
    )
    const [view] = await withImages(tables, [product])
    assert(view, 'each product has a view')
    return view
  })
}
