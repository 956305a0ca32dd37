import { Refusal } from './errors.ts'

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

/** Refuses to change what many buyers share. */
export function checkNamed(email: string): void {
  if (email.toLowerCase() !== NO_EMAIL) return
  throw new Refusal('conflict', 'This address stands for all buyers whose address is not known.')
}

export const FULL_NAME_MAX = 128
