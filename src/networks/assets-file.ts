import type { Registry } from '../coins/registry.ts'
import type { Family } from '../coins/types.ts'
import { type Asset, chainOf, type WalletNetwork, walletNetworks } from '../domain/asset.ts'
import { asserted } from '../domain/errors.ts'
import type { Json } from '../domain/metadata.ts'
import { checksumAddress } from './addresses/evm.ts'
import { makeAddresses } from './addresses/index.ts'

/** One row of an operator's assets file. */
interface Row {
  id: string
  network?: WalletNetwork
  ticker?: string
  name?: string
  decimals?: number
  quoteDecimals?: number
  /** smallest quote that is offered, in atomic units; a string where a JSON number would not be exact */
  minimum?: number | string
  confirmations?: number
  finality?: boolean
  chainId?: number
  contract?: string | null
}

interface Property {
  isValid(value: Json): boolean
  rule: string
}

const DECIMALS_MAX = 36
const CONFIRMATIONS_MAX = 100_000
const TICKER_MAX = 16
const NAME_MAX = 64
const QUOTE_DECIMALS = 8
const CONFIRMATIONS = 12

const integer = (min: number, max: number): Property => ({
  isValid: value => Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max,
  rule: `must be an integer from ${min} to ${max}`,
})

const string = (maxLength: number): Property => ({
  isValid: value =>
    typeof value === 'string' && value.trim() === value && value !== '' && value.length <= maxLength,
  rule: `must be a string of 1 to ${maxLength} characters`,
})

const properties: Record<keyof Row, Property> = {
  id: {
    isValid: value => typeof value === 'string' && /^[a-z0-9-]+(?:[/][a-z0-9.-]+)?$/.test(value),
    rule: 'must be a chain, or a chain, a slash and a ticker, in lower case',
  },
  network: {
    isValid: value => walletNetworks.some(network => network === value),
    rule: `must be one of ${walletNetworks.join(', ')}`,
  },
  ticker: string(TICKER_MAX),
  name: string(NAME_MAX),
  decimals: integer(0, DECIMALS_MAX),
  quoteDecimals: integer(0, DECIMALS_MAX),
  minimum: {
    isValid: value =>
      typeof value === 'string' ? /^[0-9]{1,60}$/.test(value) : integer(0, Infinity).isValid(value),
    rule: 'must be an integer of atomic units, zero or more; send a large one as a string',
  },
  confirmations: integer(1, CONFIRMATIONS_MAX),
  finality: { isValid: value => typeof value === 'boolean', rule: 'must be true or false' },
  chainId: integer(1, Number.MAX_SAFE_INTEGER),
  contract: {
    isValid: value => value === null || typeof value === 'string',
    rule: 'must be an address or null',
  },
}

/**
 * Reads an operator's assets file, a JSON array. Each row overrides the asset with its ID, or adds an asset.
 * Returns all assets. Throws one Error that lists every problem.
 */
export function readAssetsFile(content: string, coins: Registry): Asset[] {
  const table = new Map(coins.assets.map(asset => [asset.id, asset]))
  const seen = new Set<string>()
  const problems = parseRows(content).flatMap((json, index) => {
    const malformed = shapeProblems(json)
    const found = malformed.length > 0 ? malformed : addRow(json as Row, table, seen, coins)
    return found.map(problem => `row ${index + 1}${labelOf(json)} ${problem}`)
  })
  if (problems.length === 0) problems.push(...conflicts([...table.values()]))
  if (problems.length > 0) throw new Error(`The assets file is not valid:\n  ${problems.join('\n  ')}`)
  return [...table.values()].map(withChecksum)
}

/**
 * Puts a well-formed row into the table. Returns the problems that the row causes together with other rows.
 */
function addRow(row: Row, table: Map<string, Asset>, seen: Set<string>, coins: Registry): string[] {
  if (seen.has(row.id)) return ['has the id of an earlier row']
  seen.add(row.id)
  const others = [...table.values()]
  const known = table.get(row.id)
  const asset = merge(row, known, others, coins)
  table.set(row.id, asset)
  return [...(known ? overrideProblems(row, known) : []), ...assetProblems(asset, others, coins)]
}

function labelOf(json: unknown): string {
  const id = (json as Partial<Row> | null)?.id
  return typeof id === 'string' ? ` (${id})` : ''
}

function parseRows(content: string): unknown[] {
  let json: unknown
  try {
    json = JSON.parse(content)
  } catch {
    throw new Error('The assets file is not valid: it is not JSON')
  }
  if (!Array.isArray(json)) throw new Error('The assets file is not valid: it must contain an array of rows')
  return json
}

function shapeProblems(row: unknown): string[] {
  if (row === null || typeof row !== 'object' || Array.isArray(row)) return ['must be an object']
  const problems = Object.entries(row).flatMap(([name, value]) => {
    if (!Object.hasOwn(properties, name)) return [`has an unknown property ${JSON.stringify(name)}`]
    const property = properties[name as keyof Row]
    return property.isValid(value as Json) ? [] : [`${name} ${property.rule}`]
  })
  return 'id' in row ? problems : [...problems, 'has no id']
}

/**
 * Makes an asset from a row. Missing properties come from the asset with the same ID, or from another asset
 * on the chain.
 */
function merge(row: Row, known: Asset | undefined, table: Asset[], coins: Registry): Asset {
  const chain = chainOf(row.id)
  const ticker = row.ticker ?? known?.ticker ?? (row.id.split('/')[1] ?? chain).toUpperCase()
  const sibling = known ?? table.find(asset => asset.chain === chain)
  const decimals = row.decimals ?? known?.decimals ?? -1
  return {
    id: row.id,
    chain,
    network: row.network ?? known?.network ?? ('' as WalletNetwork),
    ticker,
    name: row.name ?? known?.name ?? defaultName(row.id, ticker, coins),
    decimals,
    quoteDecimals: row.quoteDecimals ?? Math.min(known?.quoteDecimals ?? QUOTE_DECIMALS, decimals),
    minimum: BigInt(row.minimum ?? known?.minimum ?? 1),
    confirmations: row.confirmations ?? sibling?.confirmations ?? CONFIRMATIONS,
    // An operator who sets a number of confirmations wants it to count, so it turns finality off.
    finality: row.finality ?? (row.confirmations === undefined && sibling?.finality === true),
    chainId: row.chainId ?? sibling?.chainId ?? null,
    contract: row.contract === undefined ? (known?.contract ?? null) : row.contract,
  }
}

function defaultName(id: string, ticker: string, coins: Registry): string {
  const chainName = coins.chainName(chainOf(id))
  return id.includes('/') ? `${ticker} on ${chainName}` : chainName
}

/**
 * Returns the problems of a row that overrides an asset. Such a row cannot turn a coin into a token or back,
 * or move a token to another chain without the token's contract there.
 */
function overrideProblems(row: Row, known: Asset): string[] {
  if (known.contract === null) {
    return row.contract ? [`has a contract, but ${known.id} is the chain's own coin`] : []
  }
  if (row.contract) return []
  const isMoved = row.chainId !== undefined && row.chainId !== known.chainId
  if (row.contract === null) return [`has no contract, but ${known.id} is a token`]
  return isMoved ? ['has another chainId, so it must have the contract there'] : []
}

function assetProblems(asset: Asset, others: readonly Asset[], coins: Registry): string[] {
  const { network, chain, chainId, contract, decimals, quoteDecimals } = asset
  const problems: string[] = []
  if (decimals < 0) problems.push('must have decimals')
  if (!walletNetworks.includes(network)) return [...problems, 'must have a network']
  const sibling = others.find(other => other.chain === chain)
  if (sibling && sibling.network !== network)
    problems.push(`network must be ${sibling.network}, like all others on ${chain}`)
  if (decimals >= 0 && quoteDecimals > decimals) problems.push('quoteDecimals must not be above decimals')
  const isEvm = coins.family(network) === 'evm'
  if (isEvm && chainId === null) problems.push('must have a chainId')
  if (!isEvm && chainId !== null) problems.push('must not have a chainId, which only EVM chains have')
  if (contract !== null) problems.push(...contractProblems(network, contract, coins))
  return problems
}

const tokenFamilies: readonly Family[] = ['evm', 'solana', 'tron']

function contractProblems(network: WalletNetwork, contract: string, coins: Registry): string[] {
  if (!tokenFamilies.includes(coins.family(network)))
    return [`has a contract, but there are no tokens on ${network}`]
  return makeAddresses(coins).isAddress(network, contract)
    ? []
    : ['contract must be an address of its network, with its checksum']
}

/**
 * Returns the conflicts between assets with the same chain and contract, since the same payment would be for
 * each of them.
 */
function conflicts(table: Asset[]): string[] {
  const groups = Map.groupBy(
    table,
    asset => `${asset.chain} ${asset.chainId} ${withChecksum(asset).contract}`,
  )
  return [...groups.values()].flatMap(([first, ...others]) =>
    others.map(other => {
      const what =
        other.contract === null ? 'are both the coin of one chain: add the contract' : 'have one contract'
      return `${asserted(first, 'a group has an asset').id} and ${other.id} ${what}`
    }),
  )
}

const withChecksum = (asset: Asset): Asset =>
  asset.network === 'evm' && asset.contract !== null
    ? { ...asset, contract: checksumAddress(asset.contract) }
    : asset
