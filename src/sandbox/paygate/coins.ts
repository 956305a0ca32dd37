import { sha256 } from '@noble/hashes/sha2.js'
import { base58, bech32, createBase58check } from '@scure/base'

export type Random = (bytes: number) => Uint8Array

export interface Coin {
  /** path in the API: "polygon/usdc" */
  path: string
  ticker: string
  name: string
  decimals: number
  minimum: string
  newAddress(random: Random): string
}

const HASH_BYTES = 20
const base58check = createBase58check(sha256)

const evm = (random: Random): string => `0x${Buffer.from(random(HASH_BYTES)).toString('hex')}`
const segwit =
  (prefix: string) =>
  (random: Random): string =>
    bech32.encode(prefix, [0, ...bech32.toWords(random(HASH_BYTES))])
const versioned =
  (version: number) =>
  (random: Random): string =>
    base58check.encode(Uint8Array.from([version, ...random(HASH_BYTES)]))
const tron = versioned(0x41)
const solana = (random: Random): string => base58.encode(random(32))

type Row = [path: string, name: string, decimals: number, minimum: string, newAddress: Coin['newAddress']]

const rows: Row[] = [
  ['btc', 'Bitcoin', 8, '0.00008', segwit('bc')],
  ['bch', 'Bitcoin Cash', 8, '0.0005', versioned(0x00)],
  ['ltc', 'Litecoin', 8, '0.002', segwit('ltc')],
  ['doge', 'Dogecoin', 8, '10', versioned(0x1e)],
  ['eth', 'Ether', 18, '0.001', evm],
  ['trx', 'TRX', 6, '10', tron],
  ['erc20/usdc', 'USDC on Ethereum', 6, '5', evm],
  ['erc20/usdt', 'USDT on Ethereum', 6, '5', evm],
  ['polygon/pol', 'POL', 18, '1', evm],
  ['polygon/usdc', 'USDC on Polygon', 6, '0.3', evm],
  ['polygon/usdt', 'USDT on Polygon', 6, '0.3', evm],
  ['base/eth', 'Ether on Base', 18, '0.0002', evm],
  ['base/usdc', 'USDC on Base', 6, '0.3', evm],
  ['bep20/bnb', 'BNB', 18, '0.001', evm],
  ['bep20/usdc', 'USDC on BSC', 18, '0.3', evm],
  ['bep20/usdt', 'USDT on BSC', 18, '0.3', evm],
  ['bep20/cake', 'PancakeSwap', 18, '1', evm],
  ['trc20/usdt', 'USDT on TRON', 6, '5', tron],
  ['sol/sol', 'SOL', 9, '0.01', solana],
  ['sol/usdc', 'USDC on Solana', 6, '0.3', solana],
  ['sol/usdt', 'USDT on Solana', 6, '0.3', solana],
]

export const coins: ReadonlyMap<string, Coin> = new Map(
  rows.map(([path, name, decimals, minimum, newAddress]) => [
    path,
    { path, ticker: path.split('/').at(-1)!, name, decimals, minimum, newAddress },
  ]),
)

/** Name of a coin in callbacks: "polygon_usdc". */
export const callbackName = (path: string): string => path.replace('/', '_')

const describeCoin = ({ name, ticker, minimum }: Coin) => ({
  coin: name,
  logo: '',
  ticker,
  minimum_transaction_coin: minimum,
})

/** All coins in the format of the gateway's list: at the top or below their chain, beside other data. */
export function coinList(): Record<string, unknown> {
  const list: Record<string, Record<string, unknown>> = {}
  for (const coin of coins.values()) {
    const [chain, ticker] = coin.path.split('/') as [string, string?]
    if (ticker === undefined) list[chain] = describeCoin(coin)
    else list[chain] = { ...list[chain], [ticker]: describeCoin(coin) }
  }
  return { ...list, fee_tiers: [{ minimum: '0', maximum: '1000', percent: '1.5' }] }
}
