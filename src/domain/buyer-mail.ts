import { emailKey } from './merchant.ts'

/** A mail to a buyer: a link to an order that can be paid, or the receipt of one that was paid. */
export interface BuyerMail {
  id: string
  orderId: string
  kind: 'link' | 'receipt'
  /** the address, in the spelling in which mails to it are counted */
  mailbox: string
  /** the language of the page on which the buyer opened the payment */
  language: string
  status: 'pending' | 'sent' | 'given_up'
  failures: number
  createdAt: number
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** Anyone can open payments in the name of an address, so only a few links are sent to one in this time. */
export const LINKS_MAX = 3
export const LINKS_IN_MS = HOUR_MS

const retriesMs = [MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 6 * HOUR_MS]

/** When a mail that failed is tried again; null if it is given up. */
export function retryMailAt(failures: number, now: number): number | null {
  const waitMs = retriesMs[failures - 1]
  return waitMs === undefined ? null : now + waitMs
}

/** Addresses that differ only in case or in what follows a plus sign reach the same person. */
export const mailboxOf = (email: string): string => emailKey(email).replace(/[+][^@]*(?=@)/, '')

/** Whether no mail can reach the address: the buyer's data was erased, or nobody asked for an address. */
export const isUnreachable = (email: string): boolean => /[@.]invalid$/i.test(email)
