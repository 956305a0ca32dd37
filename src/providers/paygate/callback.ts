import type { Json } from '../../domain/metadata.ts'
import { toUnits } from '../../domain/money.ts'
import { type Inbound, InvalidProof, type ProviderPayment, type StoredAttempt } from '../port.ts'
import { unavailable } from './api.ts'
import { assetOf } from './coins.ts'
import { coinsOf, isFailure, txIdOf } from './payment.ts'
import { type PublicKeys, signerOf } from './signature.ts'

const read = [
  ...['status', 'pending', 'value_coin', 'coin'],
  ...['txid_in', 'txid_out', 'address_in', 'address_out'],
]

/** Reads a callback whose secret was compared before: signed, or borne out by a look-up that says paid. */
export async function receive(
  inbound: Inbound,
  attempt: StoredAttempt,
  publicKeys: PublicKeys,
  lookup: (attempt: StoredAttempt) => Promise<ProviderPayment[]>,
): Promise<ProviderPayment[]> {
  const params = new URLSearchParams(inbound.rawQuery)
  if (read.some(name => params.getAll(name).length > 1)) throw new InvalidProof('A parameter came twice.')
  const keyId = await signerOf(inbound, attempt.callbackUrl, publicKeys)
  checkAddress(params, attempt)
  const told = withoutOurs(params, attempt)
  if (keyId !== null) return paymentsOf(params, attempt, { proof: 'signature', keyId, callback: told })
  const paid = (await lookup(attempt)).filter(fact => fact.status === 'settled')
  if (paid.length === 0) throw new InvalidProof('The callback is not signed, and the gateway says unpaid.')
  return paid.map(fact => ({
    ...fact,
    ...borneOut(params, fact),
    evidence: { lookup: fact.evidence, callback: told },
  }))
}

/**
 * Where status and callback name one payment, the callback tells of it alone: who paid it in which
 * transaction, and how much of a sum it is. It never makes more of it than the status says.
 */
function borneOut(params: URLSearchParams, fact: ProviderPayment): Pick<ProviderPayment, 'txIn' | 'amount'> {
  const amount = coinsOf(params.get('value_coin') ?? '')
  const isSame = txOf(params, 'txid_out') === fact.txOut && assetOf(params.get('coin') ?? '') === fact.assetId
  if (amount === null || !isSame || isPending(params)) return { txIn: fact.txIn, amount: fact.amount }
  return { txIn: txOf(params, 'txid_in'), amount: lesser(amount, fact.amount) }
}

function lesser(a: string, b: string): string {
  const places = Math.max(...[a, b].map(text => text.split('.')[1]?.length ?? 0))
  return (toUnits(a, places) ?? 0n) < (toUnits(b, places) ?? 0n) ? a : b
}

/** Seen, but not yet final. */
const isPending = (params: URLSearchParams): boolean => !['0', ''].includes(params.get('pending') ?? '0')

function checkAddress(params: URLSearchParams, { address }: StoredAttempt): void {
  if (address === null) throw unavailable('The callback came before the payment was stored.')
  if (spelled(params.get('address_in') ?? '') !== spelled(address)) {
    throw new InvalidProof('The callback speaks of another address.')
  }
}

/** The prefix of a CashAddr may be left out. */
const spelled = (address: string): string => address.toLowerCase().replace(/^bitcoincash:/, '')

/** The parameters that the gateway added: our own hold the secret, and the reference is one. */
function withoutOurs(params: URLSearchParams, { callbackUrl, ref }: StoredAttempt): Record<string, Json> {
  const ours = new Set(new URL(callbackUrl).searchParams.keys())
  return Object.fromEntries([...params].filter(([name, value]) => !ours.has(name) && value !== ref))
}

function paymentsOf(params: URLSearchParams, attempt: StoredAttempt, evidence: Json): ProviderPayment[] {
  const status = params.get('status') ?? 'paid'
  const told = {
    proof: 'signature',
    evidence,
    txIn: txOf(params, 'txid_in'),
    txOut: txOf(params, 'txid_out'),
  } as const
  if (isFailure(status)) return [{ ...told, status: 'failed', assetId: attempt.assetId, amount: '0' }]
  if (status.toLowerCase() !== 'paid' || isPending(params)) return []
  const amount = coinsOf(params.get('value_coin') ?? '')
  if (amount === null) throw new InvalidProof('The callback tells no amount.')
  const assetId = assetOf(params.get('coin') ?? '')
  if (assetId === null) throw new InvalidProof('The callback tells no coin.')
  if (told.txIn === null && told.txOut === null) throw new InvalidProof('The callback tells no transaction.')
  return [{ ...told, status: 'settled', assetId, amount }]
}

function txOf(params: URLSearchParams, name: string): string | null {
  const text = params.get(name)
  if (!text) return null
  const txId = txIdOf(text)
  if (txId === null) throw new InvalidProof('The callback names a transaction that is none.')
  return txId
}
