export interface Customer {
  id: string
  merchantId: string
  email: string
  blockedAt: number | null
  createdAt: number
}

/**
 * Stands for the address of a buyer whom nobody asked for one: a domain that never exists (RFC 2606).
 */
export const NO_EMAIL = 'unknown@customer.invalid'

export const FULL_NAME_MAX = 128
