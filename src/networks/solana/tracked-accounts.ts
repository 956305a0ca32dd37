import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { base64 } from '@scure/base'
import { isWithin } from '../../domain/clock.ts'
import type { Json } from '../../domain/metadata.ts'
import { readOrigin } from '../address-origin.ts'
import type { Watch } from '../port.ts'
import type { Query } from '../rpc/batch.ts'
import { type ChainConfig, mintsOf } from './chain-config.ts'
import type { TrackedAccount } from './cursor.ts'
import { ACCOUNTS_MAX, type Account, accountsOf } from './rpc-calls.ts'
import { TOKEN_PROGRAM, tokenAccountOf } from './token-account.ts'

const isSeed = (source: Json): boolean => readOrigin(source).kind === 'seed'

/**
 * The accounts to track for an address: the address and, for a wallet, its account of each token. Token
 * accounts of a seed address are not tracked, since nobody can move tokens from there. If a payer opens such
 * an account, that transaction names the address, so the payment is found all the same.
 */
export function trackedAccounts(
  config: ChainConfig,
  address: string,
  source: Json,
  startSlot: number,
  known: TrackedAccount[],
): TrackedAccount[] {
  const mints = isSeed(source) ? [] : mintsOf(config)
  return [null, ...mints].map(
    mint =>
      known.find(tracked => tracked.mint === mint) ?? {
        account: mint === null ? address : tokenAccountOf(address, mint),
        mint,
        until: null,
        slot: startSlot,
        balance: null,
        backlog: [],
        stateHash: null,
        idleSince: null,
      },
  )
}

/**
 * The time for which the transactions of an unchanged account are not listed. After it they are listed once
 * more, since a payment that is moved away between two scans leaves the balance unchanged.
 */
const IDLE_MAX_MS = 6 * 3_600_000

/**
 * True if an unchanged balance proves that nothing arrived. This holds at a seed address, from which only a
 * sweep takes money, and for assets that are not due. A wallet, such as an exchange's, may be emptied after
 * each payment.
 */
const mayBeIdle = ({ source, asset }: Watch, { mint }: TrackedAccount): boolean =>
  isSeed(source) || mint !== asset.contract

/** True if a scan can skip an account because its state is still that of the last scan. */
export const isIdle = (
  watch: Watch,
  tracked: TrackedAccount,
  stateHash: string | null,
  now: number,
): boolean =>
  mayBeIdle(watch, tracked) &&
  stateHash !== null &&
  stateHash === tracked.stateHash &&
  tracked.idleSince !== null &&
  isWithin(IDLE_MAX_MS, tracked.idleSince, now)

/** The states of some accounts; null if the node cannot report many accounts at once. */
export type AccountStates = (Account | null)[] | null

export const stateQueries = (accounts: string[]): Query<AccountStates>[] =>
  Array.from({ length: Math.ceil(accounts.length / ACCOUNTS_MAX) }, (_, index) =>
    accountsOf(accounts.slice(index * ACCOUNTS_MAX, (index + 1) * ACCOUNTS_MAX)),
  )

/** Returns the states by account, without those that the node did not report. */
export const statesByAccount = (accounts: string[], states: AccountStates[]): Map<string, Account | null> =>
  new Map(
    accounts.flatMap((account, index): [string, Account | null][] => {
      const state = states[Math.floor(index / ACCOUNTS_MAX)]?.[index % ACCOUNTS_MAX]
      return state === undefined ? [] : [[account, state]]
    }),
  )

/** Returns hashes of the states by account; null if the node did not report the state. */
export const stateHashes = (
  accounts: string[],
  states: Map<string, Account | null>,
): Map<string, string | null> => new Map(accounts.map(account => [account, stateHashOf(states.get(account))]))

/** Returns the balances by account, without those that the node did not report. */
export function balancesOf(
  accounts: TrackedAccount[],
  states: Map<string, Account | null>,
): Map<string, bigint> {
  return new Map(
    accounts.flatMap(({ account, mint }): [string, bigint][] => {
      const state = states.get(account)
      if (state === undefined) return []
      if (mint === null) return [[account, BigInt(state?.lamports ?? 0)]]
      return [[account, tokenAmountOf(state)]]
    }),
  )
}

/** Reads the amount in a token account, the only part of the account that `accountsOf` returns. */
function tokenAmountOf(state: Account | null): bigint {
  if (state?.content.length !== AMOUNT_BYTES || state.owner !== TOKEN_PROGRAM) return 0n
  return new DataView(state.content.slice().buffer).getBigUint64(0, true)
}

const AMOUNT_BYTES = 8
const HASH_DIGITS = 32

function stateHashOf(account: Account | null | undefined): string | null {
  if (account === undefined) return null
  if (account === null) return 'none'
  const state = `${account.lamports} ${account.owner} ${base64.encode(account.content)}`
  return bytesToHex(sha256(utf8ToBytes(state))).slice(0, HASH_DIGITS)
}
