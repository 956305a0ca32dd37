import type { Outcome } from '../outcomes.ts'
import type { State } from '../state.ts'

/** A payment on a chain of the sandbox. */
export interface Coins {
  txId: string
  chain: string
  assetId: string
  address: string
  /** atomic, as decimal text */
  amount: string
  state: 'pending' | 'confirmed'
  height: number | null
  at: number
}

interface Target {
  chain: string
  assetId: string
  address: string
  /** atomic */
  dueAtomic: bigint
}

const KIND = 'coins'
const BLOCK_MS = 15_000

export interface EvmChain {
  heightOf(now: number): number
  paymentsTo(chain: string, addresses: string[]): Coins[]
  send(target: Omit<Target, 'dueAtomic'>, amount: bigint, state: Coins['state']): void
  /** Makes the chain do what an outcome says. */
  simulate(target: Target, outcome: Outcome): void
}

/** The chains of the sandbox: who paid what to which address. */
export function openLedger(
  state: State,
  clock: () => number,
  random: (bytes: number) => Uint8Array,
): EvmChain {
  const heightOf = (now: number): number => Math.floor(now / BLOCK_MS)
  const all = (chain: string): Coins[] => state.list<Coins>(`${KIND}:${chain}`)
  const keep = (coins: Coins): void => state.put(`${KIND}:${coins.chain}`, coins.txId, coins)
  const paymentsTo = (chain: string, addresses: string[]): Coins[] => {
    const wanted = new Set(addresses)
    return all(chain).filter(({ address }) => wanted.has(address))
  }
  const confirm = (coins: Coins): void => keep({ ...coins, state: 'confirmed', height: heightOf(clock()) })

  const send: EvmChain['send'] = (target, amount, paymentState) => {
    const now = clock()
    keep({
      txId: Buffer.from(random(32)).toString('hex'),
      ...target,
      amount: amount.toString(),
      state: paymentState,
      height: paymentState === 'confirmed' ? heightOf(now) : null,
      at: now,
    })
  }

  const arrived = (target: Target): Coins[] =>
    paymentsTo(target.chain, [target.address]).filter(({ assetId }) => assetId === target.assetId)

  /** What is missing to the amount due; all of it again where nothing is. */
  function missing(target: Target): bigint {
    const sum = arrived(target).reduce((total, coins) => total + BigInt(coins.amount), 0n)
    return sum > 0n && sum < target.dueAtomic ? target.dueAtomic - sum : target.dueAtomic
  }

  const pay = (target: Target): void => {
    const pending = arrived(target).filter(coins => coins.state === 'pending')
    const sum = arrived(target).reduce((total, coins) => total + BigInt(coins.amount), 0n)
    const rest = missing(target)
    for (const coins of pending) confirm(coins)
    if (pending.length === 0 || sum < target.dueAtomic) send(placeOf(target), rest, 'confirmed')
  }

  const drop = (target: Target): void => {
    for (const coins of arrived(target)) {
      if (coins.state === 'pending') state.remove(`${KIND}:${coins.chain}`, coins.txId)
    }
  }

  const actions: Record<Outcome, (target: Target) => void> = {
    paid: pay,
    pending: target => send(placeOf(target), missing(target), 'pending'),
    underpaid: target => send(placeOf(target), target.dueAtomic / 2n, 'confirmed'),
    overpaid: target => send(placeOf(target), target.dueAtomic * 2n, 'confirmed'),
    late: target => send(placeOf(target), target.dueAtomic, 'confirmed'),
    wrong_asset: target =>
      send({ ...placeOf(target), assetId: `${target.chain}/unlisted` }, target.dueAtomic, 'confirmed'),
    failed: drop,
    // A chain calls nobody back, so there is nothing to repeat and nothing to forge.
    duplicate: () => {},
    forged: () => {},
  }

  return { heightOf, paymentsTo, send, simulate: (target, outcome) => actions[outcome](target) }
}

const placeOf = ({ chain, assetId, address }: Target) => ({ chain, assetId, address })
