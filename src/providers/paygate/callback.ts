import type { Json } from '../../domain/metadata.ts'
import { toUnits } from '../../domain/money.ts'
import {
  type CallbackTarget,
  type Inbound,
  InvalidProof,
  type ProviderAttempt,
  type ProviderPayment,
} from '../port.ts'
import { unavailable } from './api.ts'
import { assetOf } from './coins.ts'
import { type PublicKeys, verifySignature } from './signature.ts'
import { isFailure, parseCoinAmount, parseTxId } from './status.ts'

const parameters = [
  ...['status', 'pending', 'value_coin', 'coin'],
  ...['txid_in', 'txid_out', 'address_in', 'address_out'],
]

/** Reads the attempt and its secret, which are in the query of the registered URL. */
export function identify({ query }: Inbound): CallbackTarget {
  const params = new URLSearchParams(query)
  return { attemptId: params.get('attempt') ?? '', secret: params.get('secret') ?? '' }
}

/**
 * Reads a callback whose secret was already compared. The callback must be signed, or a status look-up must
 * say that the payment is paid. Without configured keys, signed callbacks are looked up too.
 */
export async function receive(
  inbound: Inbound,
  attempt: ProviderAttempt,
  publicKeys: PublicKeys | null,
  lookup: (attempt: ProviderAttempt) => Promise<ProviderPayment[]>,
): Promise<ProviderPayment[]> {
  const params = new URLSearchParams(inbound.query)
  if (parameters.some(name => params.getAll(name).length > 1))
    throw new InvalidProof('A parameter is repeated.')
  const keyId = await verifySignature(inbound, attempt.callbackUrl, publicKeys)
  checkAddress(params, attempt)
  const callback = gatewayParams(params, attempt)
  if (keyId !== null) return parsePayments(params, attempt, { proof: 'signature', keyId, callback })
  const paid = (await lookup(attempt)).filter(payment => payment.status === 'settled')
  if (paid.length === 0)
    throw new InvalidProof('The callback is not proven by a signature, and the gateway says unpaid.')
  return paid.map(payment => ({
    ...payment,
    ...confirmedByStatus(params, payment),
    evidence: { lookup: payment.evidence, callback },
  }))
}

/**
 * Combines a status look-up and a callback about the same payment. The callback adds the facts that the
 * status lacks: the buyer's transaction, and its part of a total. The amount is never more than the status
 * says.
 */
function confirmedByStatus(
  params: URLSearchParams,
  payment: ProviderPayment,
): Pick<ProviderPayment, 'txIn' | 'amount'> {
  const amount = parseCoinAmount(params.get('value_coin') ?? '')
  const isSame =
    readTxId(params, 'txid_out') === payment.txOut && assetOf(params.get('coin') ?? '') === payment.assetId
  if (amount === null || !isSame || isPending(params)) return { txIn: payment.txIn, amount: payment.amount }
  return { txIn: readTxId(params, 'txid_in'), amount: lesser(amount, payment.amount) }
}

function lesser(a: string, b: string): string {
  const places = Math.max(...[a, b].map(text => text.split('.')[1]?.length ?? 0))
  return (toUnits(a, places) ?? 0n) < (toUnits(b, places) ?? 0n) ? a : b
}

/** True for a payment that was detected, but is not final yet. */
const isPending = (params: URLSearchParams): boolean => !['0', ''].includes(params.get('pending') ?? '0')

function checkAddress(params: URLSearchParams, { address }: ProviderAttempt): void {
  if (address === null) throw unavailable('The callback came before the payment was stored.')
  if (normalised(params.get('address_in') ?? '') !== normalised(address)) {
    throw new InvalidProof('The callback names another address.')
  }
}

/** An address in one spelling: in lower case, and without the optional prefix of a CashAddr. */
const normalised = (address: string): string => address.toLowerCase().replace(/^bitcoincash:/, '')

/**
 * The parameters that the gateway added. Our own parameters contain the secret and the reference, which must
 * not be stored.
 */
function gatewayParams(
  params: URLSearchParams,
  { callbackUrl, reference }: ProviderAttempt,
): Record<string, Json> {
  const own = new Set(new URL(callbackUrl).searchParams.keys())
  return Object.fromEntries([...params].filter(([name, value]) => !own.has(name) && value !== reference))
}

function parsePayments(params: URLSearchParams, attempt: ProviderAttempt, evidence: Json): ProviderPayment[] {
  const status = params.get('status') ?? 'paid'
  const common = {
    proof: 'signature',
    evidence,
    txIn: readTxId(params, 'txid_in'),
    txOut: readTxId(params, 'txid_out'),
  } as const
  if (isFailure(status)) return [{ ...common, status: 'failed', assetId: attempt.assetId, amount: '0' }]
  if (status.toLowerCase() !== 'paid' || isPending(params)) return []
  const amount = parseCoinAmount(params.get('value_coin') ?? '')
  if (amount === null) throw new InvalidProof('The callback has no amount.')
  const assetId = assetOf(params.get('coin') ?? '')
  if (assetId === null) throw new InvalidProof('The callback has no coin.')
  if (common.txIn === null && common.txOut === null)
    throw new InvalidProof('The callback has no transaction.')
  return [{ ...common, status: 'settled', assetId, amount }]
}

function readTxId(params: URLSearchParams, name: string): string | null {
  const text = params.get(name)
  if (!text) return null
  const txId = parseTxId(text)
  if (txId === null) throw new InvalidProof('The callback has a malformed transaction id.')
  return txId
}
