import type { Asset } from '../../domain/asset.ts'
import { ask, type Node } from '../rpc/batch.ts'
import { type Account, accountOf } from './rpc-calls.ts'
import { TOKEN_PROGRAM } from './token-account.ts'
import { SYSTEM_PROGRAM } from './with-seed.ts'

const MINT_BYTES = 82
const DECIMALS_AT = 44

/** Why a token's row of the table cannot be right; null where it is. Throws NetworkFault. */
export async function mintFault(node: Node, { id, contract, decimals }: Asset): Promise<string | null> {
  if (contract === null) return null
  const [mint] = await ask<[Account | null]>(node, [accountOf(contract)])
  const row = `Correct the row ${id} in the file of FLORIN_ASSETS_FILE.`
  if (mint?.owner !== TOKEN_PROGRAM || mint.content.length !== MINT_BYTES) {
    return `There is no mint of the token program at ${contract}. ${row}`
  }
  const told = mint.content[DECIMALS_AT]
  if (told === decimals) return null
  return `The mint ${contract} has ${told} decimals; the table says ${decimals}. ${row}`
}

/** Why no money can be asked for at an address; null where it can: nobody is there yet, or a wallet is. */
export const walletFault = (address: string, account: Account | null): string | null =>
  account === null || (account.owner === SYSTEM_PROGRAM && !account.isExecutable)
    ? null
    : `${address} is no wallet: it belongs to the program ${account.owner}`
