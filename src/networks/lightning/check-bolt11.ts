import { type Invoice, InvoiceError, readInvoice } from './bolt11.ts'
import { sourceError } from './sources/port.ts'

/** A buyer needs this long to pay. */
const LEAST_VALID_MS = 5 * 60_000
/** How far the clock of a wallet's server may be away from this one. */
const CLOCK_MS = 10 * 60_000

/** What an invoice has to be. */
interface Wanted {
  amountMsat: bigint
  /** SHA-256 of the account's metadata */
  metadataHash: string
  now: number
  /** Bitcoin's main chain, or the one of a test */
  prefix: string
}

/**
 * Reads an invoice of a wallet and checks all that a buyer relies on: that it is signed, is for this network,
 * asks for exactly the amount, can be paid for a while, and describes no other payment. Throws a
 * AccountError that says what is wrong.
 */
export function checkInvoice(text: string, { amountMsat, metadataHash, now, prefix }: Wanted): Invoice {
  const refuse = (why: string): never => {
    throw sourceError('lightningInvoice', `the wallet's invoice ${why}`)
  }
  const invoice = readOr(text, refuse)
  const { descriptionHash, createdAt, expiresAt, unknownFeature } = invoice
  if (invoice.prefix !== prefix) refuse('is for another network')
  if (invoice.amountMsat !== amountMsat) refuse('asks for another amount')
  // Many servers describe the payment in the invoice itself. If there is a hash, it has to be the right one.
  if (descriptionHash !== null && descriptionHash !== metadataHash) refuse('describes another payment')
  if (unknownFeature !== null) refuse(`needs feature ${unknownFeature}, which wallets may not know`)
  if (Math.abs(createdAt - now) > CLOCK_MS) refuse('has a time that is more than 10 minutes wrong')
  if (expiresAt < now + LEAST_VALID_MS) refuse('expires in less than 5 minutes')
  return invoice
}

function readOr(text: string, refuse: (why: string) => never): Invoice {
  try {
    return readInvoice(text)
  } catch (error) {
    if (error instanceof InvoiceError) refuse(error.message)
    throw error
  }
}
