import type { Json } from './metadata.ts'

/** A merchant's account with a provider that takes charges. */
export interface ProviderAccount {
  merchantId: string
  provider: string
  /** in the form that the provider's adapter reads; secret */
  credentials: Json
  createdAt: number
  updatedAt: number
}
