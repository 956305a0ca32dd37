import type { Outcome } from '../outcomes.ts'
import type { State } from '../state.ts'

/** A payment on a simulated chain. */
export interface ChainPayment {
  txId: string
  chain: string
  assetId: string
  address: string
  /** atomic, as a decimal string */
  amount: string
  state: 'pending' | 'confirmed'
  height: number | null
  /** when it was sent, or the time of its block */
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

export interface Ledger {
  heightOf(now: number): number
  paymentsTo(chain: string, addresses: string[]): ChainPayment[]
  send(target: Omit<Target, 'dueAtomic'>, amount: bigint, state: ChainPayment['state']): void
  /** Makes the chain act as an outcome says. */
  simulate(target: Target, outcome: Outcome): void
}

/** The payments on all simulated chains. */
export function openLedger(state: State, clock: () => number, random: (bytes: number) => Uint8Array): Ledger {
  const heightOf = (now: number): number => Math.floor(now / BLOCK_MS)
  const all = (chain: string): ChainPayment[] => state.list<ChainPayment>(`${KIND}:${chain}`)
  const store = (payment: ChainPayment): void => state.put(`${KIND}:${payment.chain}`, payment.txId, payment)
  const paymentsTo = (chain: string, addresses: string[]): ChainPayment[] => {
    const wanted = new Set(addresses)
    return all(chain).filter(({ address }) => wanted.has(address))
  }
  const confirm = (payment: ChainPayment): void =>
    store({ ...payment, state: 'confirmed', height: heightOf(clock()), at: clock() })

  const send: Ledger['send'] = (target, amount, paymentState) => {
    const now = clock()
    store({
      txId: Buffer.from(random(32)).toString('hex'),
      ...target,
      amount: amount.toString(),
      state: paymentState,
      height: paymentState === 'confirmed' ? heightOf(now) : null,
      at: now,
    })
  }

  const received = (target: Target): ChainPayment[] =>
    paymentsTo(target.chain, [target.address]).filter(({ assetId }) => assetId === target.assetId)

  /** What is still missing; the whole amount if nothing is. */
  function missing(target: Target): bigint {
    const sum = received(target).reduce((total, payment) => total + BigInt(payment.amount), 0n)
    return sum > 0n && sum < target.dueAtomic ? target.dueAtomic - sum : target.dueAtomic
  }

  const pay = (target: Target): void => {
    const pending = received(target).filter(payment => payment.state === 'pending')
    const sum = received(target).reduce((total, payment) => total + BigInt(payment.amount), 0n)
    const remaining = missing(target)
    for (const payment of pending) confirm(payment)
    if (pending.length === 0 || sum < target.dueAtomic) send(destinationOf(target), remaining, 'confirmed')
  }

  const drop = (target: Target): void => {
    for (const payment of received(target)) {
      if (payment.state === 'pending') state.remove(`${KIND}:${payment.chain}`, payment.txId)
    }
  }

  const actions: Record<Outcome, (target: Target) => void> = {
    paid: pay,
    pending: target => send(destinationOf(target), missing(target), 'pending'),
    underpaid: target => send(destinationOf(target), target.dueAtomic / 2n, 'confirmed'),
    overpaid: target => send(destinationOf(target), target.dueAtomic * 2n, 'confirmed'),
    late: target => send(destinationOf(target), target.dueAtomic, 'confirmed'),
    wrong_asset: target =>
      send({ ...destinationOf(target), assetId: `${target.chain}/unlisted` }, target.dueAtomic, 'confirmed'),
    failed: drop,
    // A chain sends no callbacks, so there is nothing to repeat or to forge.
    duplicate: () => {},
    forged: () => {},
  }

  return { heightOf, paymentsTo, send, simulate: (target, outcome) => actions[outcome](target) }
}

const destinationOf = ({ chain, assetId, address }: Target) => ({ chain, assetId, address })
