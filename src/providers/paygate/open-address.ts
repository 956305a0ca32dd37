import type { AddressRequest, ForwardingAddress } from '../port.ts'
import { type CallApi, refused } from './api.ts'
import { isEvm, pathOf } from './coins.ts'
import { checkEvmPayout, decodedField } from './wallet-response.ts'

/**
 * Opens an address of one coin. The crypto endpoints deduct their own fee and cannot split off another one.
 */
export async function openAddress(
  callApi: CallApi,
  assetId: string,
  { payoutAddress, callbackUrl }: AddressRequest,
): Promise<ForwardingAddress> {
  const path = pathOf(assetId)
  if (path === undefined) throw refused('The gateway has no addresses for this asset.')
  if (isEvm(assetId)) checkEvmPayout(payoutAddress)
  const query = { address: payoutAddress, callback: callbackUrl }
  const wallet = await callApi(`/crypto/${path}/wallet.php`, query, 'refusable')
  return {
    address: decodedField(wallet, 'address_in'),
    reference: decodedField(wallet, 'ipn_token'),
    feeSplit: false,
  }
}
