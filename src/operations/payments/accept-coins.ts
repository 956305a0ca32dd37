import { Refusal } from '../../domain/errors.ts'
import type { PayoutContext } from '../addresses/steps/payout-checks.ts'
import { changeWallet, getWallet } from '../addresses/wallet.ts'
import type { AuditContext } from '../audit/record.ts'
import type { Context } from '../context.ts'
import type { CatalogueContext } from '../upstreams/steps/catalogue.ts'
import { listMethods } from './list-methods.ts'

type MethodContext = CatalogueContext & Pick<Context, 'providers' | 'secrets'>

/**
 * The names of a merchant's provider methods: those that buyers can use, and those that need a wallet first.
 */
export async function listUsableMethods(
  context: MethodContext,
  merchantId: string,
): Promise<{ names: string[]; needWallet: string[] }> {
  const { providerMethods } = await listMethods(context, merchantId, false)
  const { addresses } = await getWallet(context, merchantId)
  const isUsable = (capability: string): boolean => capability === 'charge' || addresses.evm !== undefined
  const namesOf = (usable: boolean): string[] =>
    providerMethods.filter(({ capability }) => isUsable(capability) === usable).map(({ name }) => name)
  return { names: namesOf(true), needWallet: namesOf(false) }
}

/**
 * Starts or stops offering coins. Refuses to stop if buyers have no other method, because nobody could pay.
 */
export async function acceptCoins(
  context: MethodContext & AuditContext & PayoutContext,
  merchantId: string,
  isOffered: boolean,
): Promise<void> {
  if (!isOffered && (await listUsableMethods(context, merchantId)).names.length === 0) {
    throw new Refusal('conflict', 'Buyers have no other payment method. Set one up first.')
  }
  await changeWallet(context, merchantId, { includeCrypto: isOffered })
}
