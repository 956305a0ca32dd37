import { Type } from '@sinclair/typebox'
import { type WalletNetwork, walletNetworks } from '../../domain/asset.ts'
import type { WalletChange } from '../../operations/addresses/wallet.ts'
import { EvmAddress } from '../schema/fields.ts'
import { type FieldsOf, Optional, StrictObject, UnicodeString } from '../schema/types.ts'

const ADDRESS_MAX = 256
const EXAMPLE = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'

const address = Optional(
  UnicodeString({ maxLength: ADDRESS_MAX, description: 'A mainnet address. An empty string removes it.' }),
)

const CryptoWallets = StrictObject(
  Object.fromEntries(walletNetworks.map(network => [network, address])) as Record<
    WalletNetwork,
    typeof address
  >,
)

export const ChangeWallet = StrictObject(
  {
    payoutWallet: Optional(EvmAddress),
    cryptoWallets: Optional(CryptoWallets),
    orderWalletOverrideEnabled: Optional(Type.Boolean()),
    includeCrypto: Optional(Type.Boolean()),
  } satisfies FieldsOf<WalletChange>,
  {
    title: 'ChangeWallet',
    minProperties: 1,
    examples: [{ cryptoWallets: { evm: EXAMPLE }, includeCrypto: true }],
  },
)
