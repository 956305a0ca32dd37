import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { base64 } from '@scure/base'
import type { Json } from '../../domain/metadata.ts'
import type { Watch } from '../port.ts'
import type { Query } from '../rpc/batch.ts'
import { type ChainConfig, isSeed, mintsOf } from './chain-config.ts'
import type { Place } from './cursor.ts'
import { ACCOUNTS_MAX, type Account, accountsOf } from './rpc-calls.ts'
import { tokenAccountOf } from './token-account.ts'

/**
 * The accounts to look at for an address: itself, and for a wallet where wallets send each token of the table
 * to. An address made by a seed can own no token to any use; who opens a token account for it names it.
 */
export function placesOf(
  config: ChainConfig,
  address: string,
  source: Json,
  opened: number,
  known: Place[],
): Place[] {
  const mints = isSeed(source) ? [] : mintsOf(config)
  return [null, ...mints].map(
    mint =>
      known.find(place => place.mint === mint) ?? {
        account: mint === null ? address : tokenAccountOf(address, mint),
        mint,
        until: null,
        slot: opened,
        below: [],
        print: null,
        calmSince: null,
      },
  )
}

/**
 * How long an account whose balance did not change is not listed. What comes and goes between two looks
 * leaves no trace in a balance, so that no account rests for ever.
 */
const REST_MS = 6 * 3600_000

/**
 * Where only a sweep of ours takes something away, or only what was not asked for arrives, an unchanged
 * balance is enough to go by. A wallet may be emptied at once by whoever holds it, as exchanges do.
 */
const mayRest = ({ source, asset }: Watch, { mint }: Place): boolean =>
  isSeed(source) || mint !== asset.contract

export const isResting = (watch: Watch, place: Place, print: string | null, now: number): boolean =>
  mayRest(watch, place) &&
  print !== null &&
  print === place.print &&
  place.calmSince !== null &&
  now - place.calmSince < REST_MS

/** What lies at so many accounts; null where the node cannot tell of many at once. */
export type Answer = (Account | null)[] | null

export const printQuestions = (accounts: string[]): Query<Answer>[] =>
  Array.from({ length: Math.ceil(accounts.length / ACCOUNTS_MAX) }, (_, index) =>
    accountsOf(accounts.slice(index * ACCOUNTS_MAX, (index + 1) * ACCOUNTS_MAX)),
  )

/** By account. */
export const printsOf = (accounts: string[], answers: Answer[]): Map<string, string | null> =>
  new Map(
    accounts.map((account, index) => [
      account,
      printOf(answers[Math.floor(index / ACCOUNTS_MAX)]?.[index % ACCOUNTS_MAX]),
    ]),
  )

const PRINT_CHARACTERS = 32

function printOf(account: Account | null | undefined): string | null {
  if (account === undefined) return null
  if (account === null) return 'none'
  const text = `${account.lamports} ${account.owner} ${base64.encode(account.content)}`
  return bytesToHex(sha256(utf8ToBytes(text))).slice(0, PRINT_CHARACTERS)
}
