import { ANY, CRYPTO } from '../../../domain/payment-methods.ts'
import type { Provider } from '../../../providers/port.ts'
import type { Tables } from '../../../storage/port.ts'
import type { Context } from '../../context.ts'

/**
 * True if an order for these methods needs an EVM payout wallet. The answer must not depend on a request, so
 * the stored catalogues decide which provider has a method; an unknown method needs a wallet.
 */
export async function needsEvmWallet(
  { providers }: Pick<Context, 'providers'>,
  tables: Pick<Tables, 'catalogues'>,
  methodKeys: string[],
): Promise<boolean> {
  const all = providers.all
  if (all.every(({ forwarding }) => forwarding?.needsEvmWallet)) return true
  if (methodKeys.includes(ANY)) return all.some(({ forwarding }) => forwarding?.needsEvmWallet)
  const keys = methodKeys.filter(key => key !== CRYPTO)
  const wallets = await Promise.all(keys.map(key => methodNeedsWallet(all, tables, key)))
  return wallets.includes(true)
}

async function methodNeedsWallet(
  providers: readonly Provider[],
  tables: Pick<Tables, 'catalogues'>,
  key: string,
): Promise<boolean> {
  for (const { id, forwarding } of providers) {
    const catalogue = await tables.catalogues.find(id)
    const method = catalogue?.methods.find(one => one.key === key)
    if (method) return method.capability === 'forwarding' && (forwarding?.needsEvmWallet ?? false)
  }
  return true
}
