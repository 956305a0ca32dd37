import type { Json } from './metadata.ts'

/** A merchant's account with a provider that takes charges. */
export interface ProviderAccount {
  merchantId: string
  provider: string
  /** in the format of the provider's adapter; secret */
  credentials: Json
  createdAt: number
  updatedAt: number
}
