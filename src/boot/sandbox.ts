import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { layout } from '../../views/layout.ts'
import { english } from '../../views/locale.ts'
import { type AddressAttempt, type Attempt, isCharge } from '../domain/attempt.ts'
import { assert, invalid } from '../domain/errors.ts'
import { fromUnitsShort } from '../domain/money.ts'
import type { Order } from '../domain/order.ts'
import { quote } from '../domain/quote.ts'
import { readJsonOrForm } from '../http/body.ts'
import { frameOf } from '../http/pages/assets.ts'
import type { Fetch } from '../networks/port.ts'
import type { Context } from '../operations/context.ts'
import { checkOrder } from '../operations/payments/check-order.ts'
import { currentOf } from '../present/attempt.ts'
import type { OpenPayment, PaymentQuery } from '../sandbox/simulate.ts'
import { openState } from '../sandbox/state.ts'
import type { Settings } from '../settings/table.ts'
import { DatabaseError } from '../storage/index.ts'
import { files } from './page-files.ts'

export const SANDBOX_FEE_WALLET = '0x5aFe5AFE5aFe5AFe5AFe5AFE5AfE5Afe5AFE5aFe'

type OpenSandbox = typeof import('../sandbox/sandbox.ts').openSandbox

/** Opens the stand-ins for upstreams. Servers that take real money never load them. */
export const loadSandbox = (): OpenSandbox => require('../sandbox/sandbox.ts').openSandbox

/** Opens the sandbox's own file beside the database. */
export function openSandboxState(dataDir: string) {
  const file = join(dataDir, 'sandbox.sqlite')
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    // SQLite gives a database's permissions to its side files, so the file is created first.
    closeSync(openSync(file, 'a', 0o600))
    chmodSync(file, 0o600)
    return openState(file)
  } catch (error) {
    throw new DatabaseError(
      `Cannot open ${file} (${error}). You can delete it: it only holds simulated data.`,
    )
  }
}

/**
 * Private hosts that merchants may name: this server, whose sandbox stands in for a shop's server. Empty if
 * strangers can reach the sandbox.
 */
export function ownReceiver({ sandbox }: Settings, ownUrl: string): Settings['outboundAllow'] {
  if (sandbox !== 'loopback') return []
  const { hostname, port } = new URL(ownUrl)
  return [{ host: hostname, port: Number(port), purposes: ['webhook', 'channel'] }]
}

interface SandboxPage {
  title: string
  body: Parameters<typeof layout>[0]['body']
}

/** Page responses and body parsing of the sandbox. */
export const sandboxHttp = {
  pageOf: (page: SandboxPage): string =>
    layout({ ...page, locale: english, url: null, ...frameOf({ files, isSandbox: true }) }),
  readBody: readJsonOrForm,
}

/** An order's latest payment, or the one with an ID, as the simulated upstream knows it. */
export async function paymentOf(
  context: Context,
  { orderUUID: orderId, attemptId, assetId }: PaymentQuery,
): Promise<OpenPayment | undefined | null> {
  const found = await context.storage.read(async tables => ({
    order: await tables.orders.find(orderId),
    attempts: await tables.attempts.listOf(orderId),
  }))
  if (!found.order) return null
  const { attempts } = found
  const attempt =
    attemptId === undefined
      ? (currentOf(found.order.order, attempts, attempts) ?? attempts.at(-1))
      : attempts.find(({ id }) => id === attemptId.toLowerCase())
  if (!attempt) return undefined
  if (assetId !== undefined) return sentIn(context, found.order.order, attempt, assetId)
  if (isCharge(attempt)) {
    return { kind: 'charge', reference: attempt.providerRef, decimals: attempt.decimals }
  }
  return attempt.provider !== null
    ? {
        kind: 'provider',
        callbackUrl: attempt.callbackUrl,
        due: coins(attempt),
        decimals: attempt.decimals,
      }
    : {
        kind: 'address',
        chain: chainOfAttempt(attempt),
        assetId: attempt.assetId,
        address: attempt.address,
        dueAtomic: attempt.dueAtomic,
        decimals: attempt.decimals,
      }
}

/** Makes a payment of the same value in another coin, on the chain of that coin and at the same address. */
async function sentIn(
  { networks, rates }: Context,
  { amount, currency }: Order,
  attempt: Attempt,
  assetId: string,
): Promise<OpenPayment> {
  const asset = networks.asset(assetId)
  const asked = networks.asset(attempt.assetId)
  if (!asset || attempt.provider !== null || asset.network !== asked?.network) {
    throw invalid('/assetId', 'must be a listed coin that can be sent to the address of the payment')
  }
  const rate = await rates.rate(assetId, currency)
  const { chain, decimals } = asset
  const dueAtomic = rate ? quote(amount, currency, rate, asset) : asset.minimum
  return { kind: 'address', chain, assetId, address: attempt.address, dueAtomic, decimals }
}

const coins = (attempt: Attempt): string => fromUnitsShort(attempt.dueAtomic, attempt.decimals)
const chainOfAttempt = ({ assetId }: Attempt): string => assetId.split('/')[0] ?? assetId

/** Pays the open payment of an order through the sandbox's own routes, then checks it. */
export const paymentSimulator =
  (context: Context, fetch: Fetch, ownUrl: string) =>
  async (orderUUID: string): Promise<void> => {
    const response = await fetch(`${ownUrl}/sandbox/simulate`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ orderUUID, outcome: 'paid' }),
    })
    assert(response.ok, 'the sandbox pays every open payment')
    await checkOrder(context, orderUUID)
  }

/** URL of the sandbox page that sends test coins to an attempt. */
export function faucetUrl(attempt: AddressAttempt): string {
  const rest = attempt.dueAtomic - attempt.receivedAtomic
  const query = new URLSearchParams({
    address: attempt.address,
    asset: attempt.assetId,
    amount: fromUnitsShort(rest > 0n ? rest : attempt.dueAtomic, attempt.decimals),
    decimals: String(attempt.decimals),
    back: `/pay/${attempt.orderId}`,
  })
  return `/sandbox/chain/${chainOfAttempt(attempt)}/send?${query}`
}
