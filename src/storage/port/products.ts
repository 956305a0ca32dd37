import type { PageStart } from '../../domain/page.ts'
import type { Product, ProductImage } from '../../domain/product.ts'

export interface Products {
  find(id: string): Promise<Product | null>
  /** The products of a merchant, last updated first. */
  list(merchantId: string, limit: number, after: PageStart | null): Promise<Product[]>
  insert(product: Product): Promise<void>
  update(id: string, change: Partial<Product>): Promise<void>
}

export interface Images {
  find(id: string): Promise<ProductImage | null>
  /** Stores an image unless it is already stored. */
  insertIfNew(image: ProductImage): Promise<void>
}
