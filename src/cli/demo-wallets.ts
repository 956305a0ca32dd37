import { FIRST_SUBADDRESS } from '../domain/address-source.ts'
import { fillPool } from '../operations/addresses/fill-pool.ts'
import { setUpSource } from '../operations/addresses/set-up-source.ts'
import { changeWallet } from '../operations/addresses/wallet.ts'
import type { Context } from '../operations/context.ts'

/** Published example addresses, which nobody mistakes for their own. */
const payoutWallets = {
  evm: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  btc: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
  doge: 'DH5yaieqoZN36fDVciNyRueRGvGLR3mr7L',
  solana: 'mvines9iiHiQTysrwkJjGf2gb9Ex9jXJX8ns3qwf2kN',
  trc20: 'TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH',
}

/** The Litecoin account of the usual test phrase: "abandon" eleven times, then "about". */
const account = {
  network: 'ltc',
  kind: 'xpub',
  key:
    'zpub6rPo5mF47z5coVm5rvWv7fv181awb7Vckn5Cf3xQXBVKu18kuBHDhNi1Jrb4b' +
    'r6vVD3ZbrnXemEsWJoR18mZwkUdzwD8TQnHDUCGxqZ6swA',
  script: 'p2wpkh',
  payoutAddress: null,
  nextIndex: 0,
} as const

/** The donation wallet of the Monero project, whose view key is public. */
const moneroWallet = {
  network: 'xmr',
  kind: 'viewkey',
  key: 'f359631075708155cc3d92a32b75a7d02a5dcf27756707b47a2b31b21c389501',
  script: null,
  payoutAddress:
    '44AFFq5kSiGBoZ4NMDwYtN18obc8AemS33DBLWs3H7otXft3XjrpDtQGv7SqSsaBYBb98uNbr2VBBEt7f2wfn3RVGQBEP3A',
  nextIndex: FIRST_SUBADDRESS,
} as const

/**
 * Bitcoin Cash addresses whose keys nobody has. They are few, so that the pool runs low in the demo's past.
 */
const cashAddresses = [
  'qz06r0gzzk5r8klvank82v4kvv3y9wnr9smw7ng20g',
  'qqthg909ttghvk4uk64ugqfdc8zrsngrycp4cs4d7v',
  'qp8fz6cfzc3uej7xsqj2yvx23pqmu32f5cptnvd3kr',
  'qrdkeuxs7ncza8cmmxj8480razvfszpmzgrk0ewc4e',
  'qpkdgx4qq8ghyswskchkrxzqg3fequmyrvyha9nsxx',
  'qpesx75uwk8620yfwjjz82halh4x6xhdtc0ul4m86t',
  'qr32mww6a9qmwtq4t6nl0nn5h9euh7xcmyjq0z4jd9',
  'qzl8gptssgdjgwr6ytwkxhwnu5hu2psn8g9vnugur5',
  'qru5lz7sn3rfugsz6gmtq357yd6euskd85a0wehacz',
  'qzwchr7z5c0v8uvhvj0eu59ahhj9afw3hc8e069qvv',
  'qpvd290ug256nm2kgkugx4cngxckaetxq56ytqrms0',
  'qznh5zrky0mn45a34dvz0v3qqr2xzv9mfyaswh6e27',
  'qqekdwz99k062s6aup09q76fe6fa9srg6gz870dzs6',
  'qrllper955kja9zpeu66shu4qv2wnayqlvkzvn2jmu',
].map(address => `bitcoincash:${address}`)

/**
 * Sets up a key unless it is set up already: checking a key takes longer than all payments to its addresses.
 */
async function useKey(
  context: Context,
  merchantId: string,
  key: typeof account | typeof moneroWallet,
): Promise<void> {
  const now = context.clock()
  const source = {
    ...key,
    id: context.ids.uuid(),
    merchantId,
    active: true,
    createdAt: now,
    updatedAt: now,
    skippedAt: null,
  }
  await setUpSource(context, { source, first: [], warnings: [], others: [] })
}

/**
 * Sets up the payout wallets and one address source of each kind. The sandbox simulates the addresses of
 * networks with a payout wallet, so networks with a source have none.
 */
export async function setUpDemoWallets(context: Context, merchantId: string): Promise<void> {
  await changeWallet(context, merchantId, { cryptoWallets: payoutWallets })
  await useKey(context, merchantId, account)
  await useKey(context, merchantId, moneroWallet)
  await fillPool(context, merchantId, 'bitcoincash', cashAddresses)
}
