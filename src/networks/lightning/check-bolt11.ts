import { type Invoice, InvoiceError, readInvoice } from './bolt11.ts'
import { sourceError } from './sources/port.ts'

/** The shortest time for which a new invoice must be valid, so that a buyer has time to pay. */
const LEAST_VALID_MS = 5 * 60_000
/** The largest tolerated difference between the clocks of a wallet's server and of this server. */
const CLOCK_MS = 10 * 60_000

/** The properties that an invoice must have. */
interface Wanted {
  amountMsat: bigint
  /** SHA-256 of the account's metadata */
  metadataHash: string
  now: number
  /** the prefix of Bitcoin's main chain, or of the chain of a test */
  prefix: string
}

/**
 * Reads an invoice of a wallet and checks all that a buyer relies on: that it is signed, is for this network,
 * asks for exactly the amount, can be paid for a while, and describes no other payment. Throws an
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
  // Many servers describe the payment in the invoice itself. If the invoice contains a hash instead, it has
  // to be the hash of the metadata.
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
