import type { PageStart } from '../../domain/page.ts'
import type { Product, ProductImage } from '../../domain/product.ts'

interface ProductQuery {
  merchantId: string
  name?: string | undefined
  active?: boolean | undefined
}

export interface Products {
  find(id: string): Promise<Product | null>
  /** Lists the products of a merchant, last updated first. */
  list(merchantId: string, limit: number, after: PageStart | null): Promise<Product[]>
  /**
   * Lists the products whose name contains a text, ignoring the case of ASCII letters. Last updated first.
   */
  browse(query: ProductQuery, limit: number, after: PageStart | null): Promise<Product[]>
  /** Number of orders for a product, up to a limit. */
  countOrders(id: string, limit: number): Promise<number>
  insert(product: Product): Promise<void>
  update(id: string, change: Partial<Product>): Promise<void>
}

export interface Images {
  find(id: string): Promise<ProductImage | null>
  /** Stores an image unless it is already stored. */
  insertIfNew(image: ProductImage): Promise<void>
}
