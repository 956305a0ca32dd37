import type { Asset } from '../../domain/asset.ts'
import { codeOf, decimalsOf } from '../evm-like/rpc-calls.ts'
import { ask } from '../rpc/batch.ts'
import { toAccount } from './account.ts'
import type { Node } from './node.ts'

const NOBODY = `0x${'0'.repeat(40)}`

/** Why the coin cannot be watched at an endpoint; null where it can. Throws NetworkFault. */
export async function coinFault({ rest, host }: Node, coin: Asset, now: number): Promise<string | null> {
  const listed = rest ? await rest.coinEntries(NOBODY, now) : null
  if (listed) return null
  const remedy = 'Name TronGrid, or another endpoint that lists them, in FLORIN_TRON_URL.'
  return `${host} lists no payments of ${coin.ticker}. ${remedy}`
}

/** Why a token's row of the table cannot be right; null where it is, or there is nobody to ask. */
export async function tokenFault({ rpc }: Node, { id, contract, decimals }: Asset): Promise<string | null> {
  if (contract === null || rpc === null) return null
  const account = toAccount(contract)
  const [code, told] = await ask(rpc, [codeOf(account), decimalsOf(account)])
  const row = `Correct the row ${id} in the file of FLORIN_ASSETS_FILE.`
  if (code === '0x') return `There is no contract at ${contract} on TRON. ${row}`
  if (told === BigInt(decimals)) return null
  const words = told === null ? 'does not tell its decimals' : `has ${told} decimals`
  return `The contract ${contract} on TRON ${words}; the table says ${decimals}. ${row}`
}
