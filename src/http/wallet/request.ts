import { Type } from '@sinclair/typebox'
import { type WalletNetwork, walletNetworks } from '../../domain/asset.ts'
import { EvmAddress } from '../schema/fields.ts'
import { Closed, Optional, Text } from '../schema/types.ts'

const ADDRESS_MAX = 256
const EXAMPLE = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'

const address = Optional(
  Text({ maxLength: ADDRESS_MAX, description: 'Mainnet address; empty takes it away.' }),
)

const CryptoWallets = Closed(
  Object.fromEntries(walletNetworks.map(network => [network, address])) as Record<
    WalletNetwork,
    typeof address
  >,
)

export const ChangeWallet = Closed(
  {
    payoutWallet: Optional(EvmAddress),
    cryptoWallets: Optional(CryptoWallets),
    orderWalletOverrideEnabled: Optional(Type.Boolean()),
    includeCrypto: Optional(Type.Boolean()),
  },
  {
    title: 'ChangeWallet',
    minProperties: 1,
    examples: [{ cryptoWallets: { evm: EXAMPLE }, includeCrypto: true }],
  },
)
