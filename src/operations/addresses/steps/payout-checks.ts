import type { Asset, WalletNetwork } from '../../../domain/asset.ts'
import { type PayoutCheck, type PayoutProblem, payoutProblems } from '../../../domain/payout-check.ts'
import { type Network, NetworkError } from '../../../networks/port.ts'
import type { Storage } from '../../../storage/port.ts'
import type { Context } from '../../context.ts'
import { notifyOf } from '../../notices/notify.ts'

export type PayoutContext = Pick<Context, 'storage' | 'clock' | 'ids' | 'networks' | 'log'>

/** A request waits this long for the endpoints. */
const WAIT_MS = 2000
/** A check in the background waits this long. */
const BACKGROUND_MS = 15_000
const FRESH_MS = 10 * 60_000
const RETRY_MS = 60_000

interface Inspector {
  chain: string
  asset: Asset
  inspect: NonNullable<Network['inspectPayout']>
}

const inspectors = new WeakMap<Context['networks'], Map<WalletNetwork, Inspector[]>>()

/** The chains of a network that can check a payout wallet, each with its first asset. */
function inspectorsOf({ networks }: Pick<Context, 'networks'>, network: WalletNetwork): Inspector[] {
  const known = inspectors.get(networks) ?? new Map<WalletNetwork, Inspector[]>()
  inspectors.set(networks, known)
  const listed = known.get(network) ?? listInspectors(networks, network)
  known.set(network, listed)
  return listed
}

function listInspectors(networks: Context['networks'], network: WalletNetwork): Inspector[] {
  const chains = Map.groupBy(
    networks.assets.filter(asset => asset.network === network),
    ({ chain }) => chain,
  )
  return [...chains].flatMap(([chain, [asset]]) => {
    const watcher = networks.of(chain)
    if (!asset || !watcher?.inspectPayout) return []
    return [{ chain, asset, inspect: watcher.inspectPayout.bind(watcher) }]
  })
}

/** Asks a chain about an address. Returns null if the chain did not answer in time. */
async function ask(
  { clock, log }: Pick<PayoutContext, 'clock' | 'log'>,
  { chain, asset, inspect }: Inspector,
  address: string,
  waitMs: number,
): Promise<PayoutCheck | null> {
  try {
    const state = await Promise.race([inspect(asset, address), Bun.sleep(waitMs).then(() => null)])
    return state && { chain, address, ...state, checkedAt: clock() }
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error
    log.warn({ chain, reason: error.message }, 'payout_wallet.check.failed')
    return null
  }
}

/** Asks each chain of a network about an address. Leaves out chains that do not answer in time. */
export async function askAll(
  context: Pick<PayoutContext, 'networks' | 'clock' | 'log'>,
  network: WalletNetwork,
  payoutAddress: string,
  waitMs = WAIT_MS,
): Promise<PayoutCheck[]> {
  const address = context.networks.canonical(network, payoutAddress)
  const asked = inspectorsOf(context, network).map(one => ask(context, one, address, waitMs))
  return (await Promise.all(asked)).filter(check => check !== null)
}

export const sentenceOf = ({ chain, isCoinOnly, reason }: PayoutProblem): string =>
  `${isCoinOnly ? `The coin of ${chain}` : chain} is not offered: ${reason}.`

/**
 * Asks each chain about a payout wallet, records the answers, and notifies the merchant of new problems. All
 * problems of a wallet that was just set are new.
 */
export async function inspectPayout(
  context: PayoutContext,
  merchantId: string,
  network: WalletNetwork,
  payoutAddress: string,
  { isNew = false, waitMs = WAIT_MS } = {},
): Promise<void> {
  const inspectors = inspectorsOf(context, network)
  if (inspectors.length === 0) return
  const address = context.networks.canonical(network, payoutAddress)
  const checks = await askAll(context, network, address, waitMs)
  await context.storage.write(async tables => {
    const before = payoutProblems(await tables.payoutChecks.listOf(address))
    for (const check of checks) await tables.payoutChecks.put(check)
    const problems = payoutProblems(await tables.payoutChecks.listOf(address)).filter(({ chain }) =>
      inspectors.some(inspector => inspector.chain === chain),
    )
    const isKnown = ({ chain, reason }: PayoutProblem): boolean =>
      !isNew && before.some(known => known.chain === chain && known.reason === reason)
    const added = problems.filter(problem => !isKnown(problem))
    const answered = new Set(checks.map(({ chain }) => chain))
    const isOver = ({ chain }: PayoutProblem): boolean =>
      !isNew && answered.has(chain) && problems.every(problem => problem.chain !== chain)
    const chains = [...new Set(before.filter(isOver).map(({ chain }) => chain))]
    if (chains.length > 0) {
      await notifyOf(context, tables, merchantId, { about: 'payout_usable', address, chains })
    }
    if (added.length > 0) {
      await notifyOf(context, tables, merchantId, { about: 'payout_unusable', address, problems: added })
    }
  })
}

/**
 * The known problems of a payout wallet, and those of chains that have not answered yet. Until a chain has
 * answered, a contract must not be paid there, because it may not exist on that chain.
 */
function withUnknown(checks: PayoutCheck[], inspectors: Inspector[]): PayoutProblem[] {
  const unknown = inspectors.filter(({ chain }) => checks.every(check => check.chain !== chain))
  const isContract = checks.some(check => check.isContract)
  return [
    ...payoutProblems(checks),
    ...(isContract ? unknown : []).map(({ chain }) => ({
      chain,
      isCoinOnly: false,
      deployedOn: [],
      reason: `the payout wallet is a contract, and it is not known yet whether it exists on ${chain}`,
    })),
  ]
}

interface Try {
  at: number
  done: Promise<void>
}

const lastTries = new WeakMap<Storage, Map<string, Try>>()

/** Asks the chains unless they were asked about the address recently. Resolves when they have answered. */
function inspectOnce(
  context: PayoutContext,
  merchantId: string,
  network: WalletNetwork,
  address: string,
  waitMs: number,
): Promise<void> {
  const { storage, clock, log } = context
  const tries = lastTries.get(storage) ?? new Map<string, Try>()
  lastTries.set(storage, tries)
  const now = clock()
  for (const [known, { at }] of tries) if (now - at >= RETRY_MS) tries.delete(known)
  const last = tries.get(address)
  if (last) return last.done
  const done = inspectPayout(context, merchantId, network, address, { waitMs }).catch(error =>
    log.error({ error: String(error) }, 'payout_wallet.check.failed'),
  )
  tries.set(address, { at: now, done })
  return done
}

/**
 * The problems of a payout wallet. Waits for the chains only if none has answered before; otherwise renews
 * old answers in the background. Never throws because of a chain.
 */
export async function payoutProblemsOf(
  context: PayoutContext,
  merchantId: string,
  network: WalletNetwork,
  payoutAddress: string,
): Promise<PayoutProblem[]> {
  const inspectors = inspectorsOf(context, network)
  if (inspectors.length === 0) return []
  const address = context.networks.canonical(network, payoutAddress)
  const load = () =>
    context.storage.remember(['payoutChecks'], `payout checks ${address}`, tables =>
      tables.payoutChecks.listOf(address),
    )
  const checks = await load()
  const oldest = context.clock() - FRESH_MS
  const isFresh = inspectors.every(({ chain }) =>
    checks.some(check => check.chain === chain && check.checkedAt > oldest),
  )
  if (isFresh) return payoutProblems(checks)
  const isFirst = checks.length === 0
  const done = inspectOnce(context, merchantId, network, address, isFirst ? WAIT_MS : BACKGROUND_MS)
  if (isFirst) await done
  return withUnknown(isFirst ? await load() : checks, inspectors)
}
