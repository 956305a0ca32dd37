import { Refusal } from './errors.ts'

export interface Customer {
  id: string
  merchantId: string
  email: string
  blockedAt: number | null
  createdAt: number
}

/** Placeholder for an unknown address. The domain never exists (RFC 2606). */
export const NO_EMAIL = 'unknown@customer.invalid'

/** Refuses the placeholder, which many buyers share. */
export function checkNamed(email: string): void {
  if (email.toLowerCase() !== NO_EMAIL) return
  throw new Refusal('conflict', 'This address stands for all buyers whose address is not known.')
}

export const FULL_NAME_MAX = 128
