import { type Asset, chainOf, type WalletNetwork, walletNetworks } from '../domain/asset.ts'
import type { Json } from '../domain/metadata.ts'
import { checksumAddress } from './addresses/evm.ts'
import { isAddress } from './addresses/index.ts'
import { chainName } from './assets.ts'

/** What an operator may write of an asset. */
interface Row {
  id: string
  network?: WalletNetwork
  ticker?: string
  name?: string
  decimals?: number
  quoteDecimals?: number
  /** as a number, or as text where that is not exact */
  minimum?: number | string
  confirmations?: number
  finality?: boolean
  chainId?: number
  contract?: string | null
}

interface Member {
  is(value: Json): boolean
  rule: string
}

const DECIMALS_MAX = 36
const CONFIRMATIONS_MAX = 100_000
const TICKER_MAX = 16
const NAME_MAX = 64
const QUOTE_DECIMALS = 8
const CONFIRMATIONS = 12

const integer = (least: number, most: number): Member => ({
  is: value => Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most,
  rule: `must be an integer from ${least} to ${most}`,
})

const text = (longest: number): Member => ({
  is: value => typeof value === 'string' && value.trim() === value && value !== '' && value.length <= longest,
  rule: `must be a text of 1 to ${longest} characters`,
})

const members: Record<keyof Row, Member> = {
  id: {
    is: value => typeof value === 'string' && /^[a-z0-9-]+(?:[/][a-z0-9.-]+)?$/.test(value),
    rule: 'must be a chain, or a chain, a slash and a ticker, in lower case',
  },
  network: {
    is: value => walletNetworks.some(network => network === value),
    rule: `must be one of ${walletNetworks.join(', ')}`,
  },
  ticker: text(TICKER_MAX),
  name: text(NAME_MAX),
  decimals: integer(0, DECIMALS_MAX),
  quoteDecimals: integer(0, DECIMALS_MAX),
  minimum: {
    is: value => (typeof value === 'string' ? /^[0-9]{1,60}$/.test(value) : integer(0, Infinity).is(value)),
    rule: 'must be an integer of atomic units, not below zero; a large one as text',
  },
  confirmations: integer(1, CONFIRMATIONS_MAX),
  finality: { is: value => typeof value === 'boolean', rule: 'must be true or false' },
  chainId: integer(1, Number.MAX_SAFE_INTEGER),
  contract: { is: value => value === null || typeof value === 'string', rule: 'must be an address or null' },
}

/**
 * The table of assets as an operator's file changes it: a JSON array, each row of which overrides the one of
 * the same id or adds one. Throws one Error that lists every fault.
 */
export function readAssetsFile(content: string, base: readonly Asset[]): Asset[] {
  const table = new Map(base.map(asset => [asset.id, asset]))
  const seen = new Set<string>()
  const faults = parsed(content).flatMap((json, index) => {
    const form = formFaults(json)
    const own = form.length > 0 ? form : take(json as Row, table, seen)
    return own.map(fault => `row ${index + 1}${labelOf(json)} ${fault}`)
  })
  if (faults.length === 0) faults.push(...rivals([...table.values()]))
  if (faults.length > 0) throw new Error(`The file of assets is wrong:\n  ${faults.join('\n  ')}`)
  return [...table.values()].map(tidied)
}

/** Puts a row of good form into the table, and tells what is wrong with it there. */
function take(row: Row, table: Map<string, Asset>, seen: Set<string>): string[] {
  if (seen.has(row.id)) return ['has the id of an earlier row']
  seen.add(row.id)
  const others = [...table.values()]
  const known = table.get(row.id)
  const asset = merged(row, known, others)
  table.set(row.id, asset)
  return [...(known ? overrideFaults(row, known) : []), ...assetFaults(asset, others)]
}

function labelOf(json: unknown): string {
  const id = (json as Partial<Row> | null)?.id
  return typeof id === 'string' ? ` (${id})` : ''
}

function parsed(content: string): unknown[] {
  let json: unknown
  try {
    json = JSON.parse(content)
  } catch {
    throw new Error('The file of assets is wrong: it is no JSON')
  }
  if (!Array.isArray(json)) throw new Error('The file of assets is wrong: it must hold an array of rows')
  return json
}

function formFaults(row: unknown): string[] {
  if (row === null || typeof row !== 'object' || Array.isArray(row)) return ['must be an object']
  const faults = Object.entries(row).flatMap(([name, value]) => {
    if (!Object.hasOwn(members, name)) return [`has an unknown member ${JSON.stringify(name)}`]
    const member = members[name as keyof Row]
    return member.is(value as Json) ? [] : [`${name} ${member.rule}`]
  })
  return 'id' in row ? faults : [...faults, 'names no id']
}

/** The members that a row gives win; the others are the known row's, or what its chain suggests. */
function merged(row: Row, known: Asset | undefined, table: Asset[]): Asset {
  const chain = chainOf(row.id)
  const ticker = row.ticker ?? known?.ticker ?? (row.id.split('/')[1] ?? chain).toUpperCase()
  const sister = known ?? table.find(asset => asset.chain === chain)
  const decimals = row.decimals ?? known?.decimals ?? -1
  return {
    id: row.id,
    chain,
    network: row.network ?? known?.network ?? ('' as WalletNetwork),
    ticker,
    name: row.name ?? known?.name ?? defaultName(row.id, ticker),
    decimals,
    quoteDecimals: row.quoteDecimals ?? Math.min(known?.quoteDecimals ?? QUOTE_DECIMALS, decimals),
    minimum: BigInt(row.minimum ?? known?.minimum ?? 1),
    confirmations: row.confirmations ?? sister?.confirmations ?? CONFIRMATIONS,
    // Who names a number of confirmations wants to be settled by that.
    finality: row.finality ?? (row.confirmations === undefined && sister?.finality === true),
    chainId: row.chainId ?? sister?.chainId ?? null,
    contract: row.contract === undefined ? (known?.contract ?? null) : row.contract,
  }
}

const defaultName = (id: string, ticker: string): string =>
  id.includes('/') ? `${ticker} on ${chainName(chainOf(id))}` : chainName(id)

/** A coin stays a coin, a token a token; and a token is elsewhere on another chain. */
function overrideFaults(row: Row, known: Asset): string[] {
  if (known.contract === null) {
    return row.contract ? [`names a contract, but ${known.id} is the chain's own coin`] : []
  }
  if (row.contract) return []
  const isMoved = row.chainId !== undefined && row.chainId !== known.chainId
  if (row.contract === null) return [`names no contract, but ${known.id} is a token`]
  return isMoved ? ['names another chainId, so it must name the contract there'] : []
}

function assetFaults(asset: Asset, others: readonly Asset[]): string[] {
  const { network, chain, chainId, contract, decimals, quoteDecimals } = asset
  const faults: string[] = []
  if (decimals < 0) faults.push('must name its decimals')
  if (!walletNetworks.includes(network)) return [...faults, 'must name its network']
  const sister = others.find(other => other.chain === chain)
  if (sister && sister.network !== network)
    faults.push(`network must be ${sister.network}, as of all on ${chain}`)
  if (decimals >= 0 && quoteDecimals > decimals) faults.push('quoteDecimals must be at most its decimals')
  if (network === 'evm' && chainId === null) faults.push('must name its chainId')
  if (network !== 'evm' && chainId !== null)
    faults.push('must not name a chainId, which only EVM chains have')
  if (contract !== null) faults.push(...contractFaults(network, contract))
  return faults
}

const tokenNetworks: readonly WalletNetwork[] = ['evm', 'solana', 'trc20']

function contractFaults(network: WalletNetwork, contract: string): string[] {
  if (!tokenNetworks.includes(network)) return [`names a contract, but ${network} has no tokens`]
  return isAddress(network, contract) ? [] : ['contract must be an address of its network, with its checksum']
}

/** Two rows of one chain that one payment would be of. */
function rivals(table: Asset[]): string[] {
  const groups = Map.groupBy(table, asset => `${asset.chain} ${asset.chainId} ${tidied(asset).contract}`)
  return [...groups.values()].flatMap(([first, ...others]) =>
    others.map(other => {
      const what = other.contract === null ? 'the coin of one chain: name the contract' : 'one contract'
      return `${first!.id} and ${other.id} are both ${what}`
    }),
  )
}

const tidied = (asset: Asset): Asset =>
  asset.network === 'evm' && asset.contract !== null
    ? { ...asset, contract: checksumAddress(asset.contract) }
    : asset
