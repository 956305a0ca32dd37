import type { ProviderPayment, StoredAttempt } from '../port.ts'
import { type Ask, unavailable } from './api.ts'
import { assetOf } from './coins.ts'
import { plain, readDecimal } from './decimal.ts'
import type { ToldObject } from './json.ts'
import { coinsOf, isFailure, txIdOf } from './payment.ts'

/** What the gateway says of a payment now: nothing while it is unpaid. */
export async function lookup(ask: Ask, attempt: StoredAttempt): Promise<ProviderPayment[]> {
  const told = await ask('/control/payment-status.php', { ipn_token: attempt.ref })
  const status = typeof told.status === 'string' ? told.status.toLowerCase() : ''
  if (status === 'unpaid') return []
  if (status === 'paid') return [paidOf(told)]
  if (isFailure(status)) return [failedOf(attempt.assetId, status)]
  throw unavailable('The gateway told a status that is not known.')
}

const text = (told: ToldObject, member: string): string => {
  const value = told[member]
  return typeof value === 'string' ? value : ''
}

function paidOf(told: ToldObject): ProviderPayment {
  const number = readDecimal(text(told, 'value_coin'))
  const amount = number && coinsOf(plain(number))
  const assetId = assetOf(text(told, 'coin'))
  const txOut = txIdOf(text(told, 'txid_out'))
  if (amount === null || assetId === null || txOut === null) {
    throw unavailable('The gateway told of a payment, but not all of it.')
  }
  const proof = 'status_lookup'
  const { status, value_coin, coin, txid_out } = told as Record<string, string>
  const evidence = {
    proof,
    answer: { status: status!, value_coin: value_coin!, coin: coin!, txid_out: txid_out! },
  }
  return { status: 'settled', proof, txIn: null, txOut, assetId, amount, evidence }
}

const failedOf = (assetId: string, status: string): ProviderPayment => ({
  status: 'failed',
  proof: 'status_lookup',
  txIn: null,
  txOut: null,
  assetId,
  amount: '0',
  evidence: { proof: 'status_lookup', answer: { status } },
})
