import type { Json } from '../../domain/metadata.ts'
import { NetworkError } from '../port.ts'

/** How the native balance of an address changed in one block, where it was found out and is not yet final. */
export interface Change {
  height: number
  hash: string
  /** atomic; below zero for what left without a word of a forwarder */
  amount: bigint
  /** by how much the account's nonce rose, as by each transaction of its own; zero for a forwarder */
  sent: bigint
}

/** Where an account stood at one block. */
export interface Anchor {
  height: number
  hash: string
  /** atomic */
  balance: bigint
  nonce: bigint
}

/** What is kept of an address that was in use before it was given out, and whose owner can spend from it. */
interface Account {
  /** at the cursor's height */
  nonce: bigint
  /** some way below the head at which it was given out: where a chain is read again that was replaced */
  anchor: Anchor
  /** the newest block when it was given out: what is in it, or was before it, is no payment */
  givenOut: { height: number; at: number }
}

/** Where the watch of one address goes on. Everything at or below `height` was told, and is final. */
export interface Cursor {
  height: number
  hash: string
  /** the native balance at `height`, atomic */
  balance: bigint
  /** what was final when the address was given out: where a chain is read again that was replaced so deep */
  opened: number
  /** the newest block that was seen; a node that does not know it is behind */
  seen: number
  /** when that was, in milliseconds since 1970 UTC */
  seenAt: number
  changes: Change[]
  /** null for a forwarder, which is empty when it is given out and tells what it pays out */
  account: Account | null
}

/** A watcher finds again what is left out, so that nobody can swell a cursor by many small payments. */
const CHANGES_MAX = 32

const printAccount = ({ nonce, anchor, givenOut }: Account): Json => ({
  nonce: nonce.toString(),
  anchor: { ...anchor, balance: anchor.balance.toString(), nonce: anchor.nonce.toString() },
  givenOut: { ...givenOut },
})

export const printCursor = ({ changes, balance, account, ...rest }: Cursor): Json => ({
  ...rest,
  balance: balance.toString(),
  changes: changes
    .toSorted((a, b) => (a.amount === b.amount ? a.height - b.height : a.amount > b.amount ? -1 : 1))
    .slice(0, CHANGES_MAX)
    .map(({ height, hash, amount, sent }) => [height, hash, amount.toString(), sent.toString()]),
  ...(account && { account: printAccount(account) }),
})

type Members = { [key: string]: Json }

/** Throws NetworkFault for what is no cursor of ours. */
export function readCursor(json: Json): Cursor {
  try {
    const { height, hash, balance, opened, seen, seenAt, changes, account } = json as Members
    return {
      height: integerOf(height),
      hash: hash as string,
      balance: BigInt(balance as string),
      opened: integerOf(opened),
      seen: integerOf(seen),
      seenAt: integerOf(seenAt ?? 0),
      changes: (changes as [number, string, string, string?][]).map(([at, blockHash, amount, sent]) => ({
        height: integerOf(at),
        hash: blockHash,
        amount: BigInt(amount),
        sent: BigInt(sent ?? 0),
      })),
      account: account ? readAccount(account as Members) : null,
    }
  } catch {
    throw new NetworkError('a stored cursor cannot be read')
  }
}

function readAccount({ nonce, anchor, givenOut }: Members): Account {
  const at = anchor as Members
  const head = givenOut as Members
  return {
    nonce: BigInt(nonce as string),
    anchor: {
      height: integerOf(at.height),
      hash: at.hash as string,
      balance: BigInt(at.balance as string),
      nonce: BigInt(at.nonce as string),
    },
    givenOut: { height: integerOf(head.height), at: integerOf(head.at) },
  }
}

function integerOf(json: Json | undefined): number {
  if (!Number.isSafeInteger(json)) throw new TypeError('a height is an integer')
  return json as number
}

/**
 * What a cursor says of money, which nothing at a later look will prove again: what is missing in it would be
 * found as a payment.
 */
export function claimOf(json: Json): string {
  const { balance, account } = readCursor(json)
  return `${balance} ${account?.nonce ?? ''}`
}
