import type { Attempt } from '../../domain/attempt.ts'
import { arrived } from '../../domain/coverage.ts'
import { Refusal, type RefusalCode } from '../../domain/errors.ts'
import type { Order } from '../../domain/order.ts'
import { overpaidOf } from '../../domain/overpaid.ts'
import type { BuyerReason } from '../../domain/reason.ts'
import type { Tables } from '../../storage/port.ts'
import type { Context } from '../context.ts'
import { notifyMerchant } from '../notices/notify.ts'
import { arrivedText } from '../notices/sum-text.ts'
import { isReturnable, loadCheckout } from './load-checkout.ts'

type LeaveContext = Pick<Context, 'storage' | 'networks' | 'clock' | 'ids'>

/**
 * Stores the address to which a buyer wants refunds. It is never replaced, because everybody who has the link
 * of the page could replace it.
 */
export async function leaveRefundAddress(
  context: LeaveContext,
  orderId: string,
  attemptId: string,
  text: string,
): Promise<void> {
  const checkout = await loadCheckout(context, orderId)
  const attempt = checkout.attempts.find(({ id }) => id === attemptId)
  if (!attempt) throw new Refusal('not_found', 'There is no such payment.')
  if (!isReturnable(checkout, attempt)) {
    const message = 'There is nothing to refund. Contact the shop if you think this is wrong.'
    throw refused('conflict', 'nothing_to_refund', message)
  }
  const address = readAddress(context, attempt, text)
  await context.storage.write(async tables => store(context, tables, attempt.id, address))
}

const refused = (code: RefusalCode, kind: BuyerReason['kind'], message: string): Refusal =>
  new Refusal(code, message, { reason: { kind } })

function readAddress({ networks }: Pick<Context, 'networks'>, attempt: Attempt, text: string): string {
  const asset = networks.asset(attempt.assetId)
  if (!asset) {
    const message = 'This coin is no longer supported. Contact the shop.'
    throw refused('conflict', 'coin_unsupported', message)
  }
  const entered = text.trim()
  const network = asset.name.split(' on ').at(-1) ?? asset.name
  if (networks.privateKeyWarning(asset.network, entered) !== null) {
    const message = 'This looks like a private key. Never share it. Enter an address instead.'
    throw refused('validation_error', 'private_key', message)
  }
  if (!networks.isAddress(asset.network, entered)) {
    const message = `This isn’t an address on ${network}. Copy it from your wallet again.`
    throw refused('validation_error', 'not_an_address', message)
  }
  return networks.canonical(asset.network, entered)
}

async function store(
  context: LeaveContext,
  tables: Tables,
  attemptId: string,
  address: string,
): Promise<void> {
  const attempt = await tables.attempts.find(attemptId)
  const found = attempt && (await tables.orders.find(attempt.orderId))
  if (!attempt || !found || attempt.refundAddress === address) return
  if (attempt.refundAddress !== null) {
    const message = 'A refund address is already saved. Contact the shop to change it.'
    throw refused('conflict', 'address_saved', message)
  }
  if (await tables.attempts.hasAddress(address)) {
    const message = 'This is the address of a payment. Enter an address of your own wallet.'
    throw refused('validation_error', 'payment_address', message)
  }
  await tables.attempts.update(attempt.id, { refundAddress: address, updatedAt: context.clock() })
  const about = attempt.state === 'settled' ? 'refund_address_over' : 'refund_address'
  const sum = await returnableText(context, tables, found.order, attempt)
  await notifyMerchant(context, tables, found.order, { about, sum, address })
}

/**
 * The sums that a buyer may want back: of unmatched payments, and beyond the amount due. Not what paid the
 * order.
 */
async function returnableText(
  context: Pick<Context, 'networks'>,
  tables: Tables,
  order: Order,
  attempt: Attempt,
): Promise<string> {
  const rows = await tables.unmatched.listOfAttempt(attempt.id)
  const open = rows.flatMap(({ payment, incoming }) =>
    payment.status === 'open' && incoming.state !== 'gone' ? [incoming] : [],
  )
  const byAsset = Map.groupBy(open, ({ assetId }) => assetId)
  const sums = new Map([...byAsset].map(([assetId, group]) => [assetId, arrived(attempt, group)] as const))
  const over = overpaidOf(order, await tables.attempts.listOf(order.id))
  const own = over?.attempt.id === attempt.id ? over : null
  if (own?.coins) {
    const more = own.coins.received - own.coins.due
    sums.set(attempt.assetId, (sums.get(attempt.assetId) ?? 0n) + more)
  }
  const texts = [...sums].map(([assetId, sum]) =>
    arrivedText({ assetOf: id => context.networks.asset(id) }, attempt, assetId, sum),
  )
  if (own?.coins === null) texts.push(`${own.excess} ${order.currency}`)
  return texts.join(' + ')
}
