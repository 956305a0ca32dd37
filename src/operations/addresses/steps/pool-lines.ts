import type { WalletNetwork } from '../../../domain/asset.ts'
import { invalid } from '../../../domain/errors.ts'
import type { LineFault } from '../../../domain/wallet-fault.ts'
import { refusedLines } from '../../../domain/wallet-refusal.ts'
import { NetworkError } from '../../../networks/port.ts'
import type { Tables } from '../../../storage/port.ts'
import type { Context } from '../../context.ts'

const ADDRESSES_MAX = 10_000

/** An address of a list in canonical spelling, with its line number. */
export interface PoolLine {
  line: number
  address: string
}

/**
 * The addresses on the lines, one on each and not checked yet; # starts a comment, and empty lines are left
 * out. Refuses lines that contain a private key or seed words, which could spend money.
 */
export function writtenIn(
  { networks }: Pick<Context, 'networks'>,
  network: WalletNetwork,
  lines: readonly string[],
): PoolLine[] {
  const written = lines.flatMap((text, at) => {
    const address = text.replace(/#.*/, '').trim()
    return address === '' ? [] : [{ line: at + 1, address }]
  })
  if (written.length === 0)
    throw invalid('file', 'contains no addresses; put one on each line', { kind: 'list_empty' })
  if (written.length > ADDRESSES_MAX) {
    throw invalid('file', `must contain at most ${ADDRESSES_MAX} addresses`, { kind: 'list_too_long' })
  }
  const isSecret = (text: string): boolean => networks.privateKeyWarning(network, text) !== null
  // Seed words are often written one per line.
  const together = written.map(({ address }) => address).join('\n')
  const secret = written.filter(({ address }) => isSecret(address))
  const exposed = secret.length === 0 && isSecret(together) ? written.slice(0, 1) : secret
  if (exposed.length > 0)
    throw refusedLines(exposed.map(({ line }) => ({ line, fault: { kind: 'exposed' } })))
  return written
}

type LineContext = Pick<Context, 'networks' | 'log'>

/** Checks a single line. Does not repeat the text, which may be a mistyped secret. */
function faultOf(
  { networks }: LineContext,
  network: WalletNetwork,
  { line, address }: PoolLine,
): LineFault[] {
  if (!networks.isAddress(network, address)) return [{ line, fault: { kind: 'otherAddress', network } }]
  const fault = networks.unspendable(network, address) ?? networks.poolProblem(network, address)
  return fault ? [{ line, fault }] : []
}

/**
 * Finds addresses that are not wallets, according to their chain. If a chain does not answer, no address is
 * refused because of it.
 */
async function askChains(
  { networks, log }: LineContext,
  network: WalletNetwork,
  lines: PoolLine[],
): Promise<LineFault[]> {
  const chains = new Set(networks.assets.filter(asset => asset.network === network).map(({ chain }) => chain))
  for (const chain of chains) {
    try {
      const faults = (await networks.of(chain)?.walletProblems?.(lines.map(({ address }) => address))) ?? []
      const found = lines.flatMap(({ line }, at) => (faults[at] ? [{ line, fault: faults[at] }] : []))
      if (found.length > 0) return found
    } catch (error) {
      if (!(error instanceof NetworkError)) throw error
      log.warn({ chain, reason: error.message }, 'pool.check.failed')
    }
  }
  return []
}

/** Reads a list of addresses for a network. Refuses every line that cannot be used. */
export async function readLines(
  context: LineContext,
  network: WalletNetwork,
  lines: readonly string[],
): Promise<PoolLine[]> {
  const { networks } = context
  const written = writtenIn(context, network, lines)
  const faults = written.flatMap(line => faultOf(context, network, line))
  if (faults.length > 0) throw refusedLines(faults)
  const read = written.map(one => ({ ...one, address: networks.canonical(network, one.address) }))
  const reported = await askChains(context, network, read)
  if (reported.length > 0) throw refusedLines(reported)
  return read
}

/** The additions of a list to a pool. */
export interface PoolPlan {
  /** addresses to add, in the order of the list */
  fresh: PoolLine[]
  /** lines that are already in the pool */
  known: number[]
  /** lines that repeat an earlier one */
  repeated: number[]
}

interface PoolPlace {
  merchantId: string
  network: WalletNetwork
  /** ID of the pool that the list extends; null if the list creates the pool */
  sourceId: string | null
}

/**
 * Faults of lines that are a payout wallet of any merchant: other deposits to it would be mistaken for
 * payments.
 */
async function payoutFaults(
  { networks }: Pick<Context, 'networks'>,
  tables: Tables,
  { merchantId, network }: PoolPlace,
): Promise<Map<string, LineFault['fault']>> {
  const faults = new Map<string, LineFault['fault']>()
  for (const { merchantId: owner, addresses } of await tables.wallets.listAll()) {
    const payout = addresses[network]
    if (payout === undefined) continue
    const address = networks.canonical(network, payout)
    if (owner === merchantId) faults.set(address, { kind: 'payoutWallet' })
    else if (!faults.has(address)) faults.set(address, { kind: 'inUse' })
  }
  return faults
}

/** The known reason why an address cannot be added; "known" if it is already in the pool. */
async function takenBy(
  tables: Tables,
  { network, sourceId }: PoolPlace,
  address: string,
): Promise<'known' | LineFault['fault'] | null> {
  const found = await tables.sources.findAddress(network, address)
  if (found) return found.sourceId === sourceId ? 'known' : { kind: 'inUse' }
  return (await tables.attempts.hasAddress(address)) ? { kind: 'givenToBuyer' } : null
}

/** Compares a list with what the server knows. Refuses every line that cannot be used. */
export async function planLines(
  context: Pick<Context, 'networks'>,
  tables: Tables,
  place: PoolPlace,
  lines: readonly PoolLine[],
): Promise<PoolPlan> {
  const payouts = await payoutFaults(context, tables, place)
  const plan: PoolPlan = { fresh: [], known: [], repeated: [] }
  const faults: LineFault[] = []
  const seen = new Set<string>()
  for (const { line, address } of lines) {
    const isRepeated = seen.has(address)
    seen.add(address)
    if (isRepeated) {
      plan.repeated.push(line)
      continue
    }
    const taken = payouts.get(address) ?? (await takenBy(tables, place, address))
    if (taken === 'known') plan.known.push(line)
    else if (taken) faults.push({ line, fault: taken })
    else plan.fresh.push({ line, address })
  }
  if (faults.length > 0) throw refusedLines(faults)
  return plan
}
