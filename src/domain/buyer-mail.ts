import { emailKey } from './merchant.ts'

/** A mail to a buyer: the link to an order that can be paid, or a receipt. */
export interface BuyerMail {
  id: string
  orderId: string
  kind: 'link' | 'receipt'
  /** the address, normalized by `mailboxOf`: mails are limited per mailbox */
  mailbox: string
  /** language of the page on which the buyer opened the payment */
  language: string
  status: 'pending' | 'sent' | 'given_up'
  failures: number
  createdAt: number
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** Max links sent to one mailbox within `LINKS_IN_MS`: anyone can open payments in the name of an address. */
export const LINKS_MAX = 3
export const LINKS_IN_MS = HOUR_MS

const retriesMs = [MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 6 * HOUR_MS]

/** When to retry a failed mail; null to give up. */
export function retryMailAt(failures: number, now: number): number | null {
  const waitMs = retriesMs[failures - 1]
  return waitMs === undefined ? null : now + waitMs
}

const gmail = /^([^@]*)@(?:gmail|googlemail)[.]com$/

/**
 * Normalizes an address, so that two addresses of the same mailbox are equal. Case and the part after a plus
 * sign do not matter; in Gmail addresses, dots and the old name of the domain do not matter either.
 */
export const mailboxOf = (email: string): string =>
  emailKey(email)
    .replace(/[+][^@]*(?=@)/, '')
    .replace(gmail, (_, name: string) => `${name.replaceAll('.', '')}@gmail.com`)

/** True if the address cannot receive mail: the buyer's data was erased, or no address was asked for. */
export const isUnreachable = (email: string): boolean => /[@.]invalid$/i.test(email)
