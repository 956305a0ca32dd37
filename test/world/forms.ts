import type { Transfer } from '../simulation/chain.ts'
import type { WorldChain } from './chains.ts'
import type { TransferFact } from './facts.ts'
import type { NewTransfer } from './transfers.ts'

/**
 * Ways to send money, or to make a transfer that looks like a payment. A chain without such a form gets a
 * plain payment.
 */
export const forms = ['plain', 'contract', 'split', 'same-key', 'false'] as const
export type Form = (typeof forms)[number]

interface Shape {
  fact: TransferFact['kind']
  more: Partial<Transfer>
}

const plain: Shape = { fact: 'payment', more: {} }

/** A transfer that looks like a payment, but cannot be spent. */
function falseShape({ family, plan }: WorldChain, asset: string): Shape {
  const isCoin = asset === plan.coin
  if (family === 'monero') return { fact: 'locked', more: { looks: 'locked' } }
  if (family === 'solana' && !isCoin) return { fact: 'wrong-program', more: { looks: 'other-program' } }
  if (family === 'tron' && isCoin) return { fact: 'rejected', more: { looks: 'rejected', kind: 'internal' } }
  return family === 'bitcoin' ? plain : { fact: 'failed', more: { looks: 'failed' } }
}

/** A payment in two logs of a token, or in two outputs of a transaction. */
function splitShape({ family, plan }: WorldChain, { asset, amount }: NewTransfer): Shape {
  if (family === 'bitcoin' || family === 'monero') return { fact: 'payment', more: { isSplit: true } }
  const isToken = family !== 'solana' && asset !== plan.coin
  return isToken && amount % 2n === 0n ? { fact: 'payment', more: { amount: amount / 2n, count: 2 } } : plain
}

function shapeOfForm(chain: WorldChain, given: NewTransfer): Shape {
  const { plan } = chain
  const isByContract = given.asset === plan.coin && plan.hasInternalTransfers
  switch (given.form) {
    case 'false':
      return falseShape(chain, given.asset)
    case 'contract':
      return isByContract ? { fact: 'payment', more: { kind: 'internal' } } : plain
    case 'split':
      return splitShape(chain, given)
    default:
      return plain
  }
}

/** How a chain shows a transfer, its kind as a fact, and the amount that arrives. */
export function shapeOf(chain: WorldChain, given: NewTransfer): Shape & { credited: bigint } {
  const { asset, amount, fee = 0, form = 'plain', keyOf } = given
  if (keyOf) return { fact: 'same-key', more: {}, credited: amount }
  const isTaxed = fee > 0 && form === 'plain' && chain.family === 'evm' && asset !== chain.plan.coin
  const { fact, more } = shapeOfForm(chain, given)
  const credited = isTaxed ? amount - (amount * BigInt(fee)) / 100n : amount
  return { fact, more: isTaxed ? { ...more, credited } : more, credited }
}
