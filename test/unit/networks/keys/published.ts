import { sha256 } from '@noble/hashes/sha2.js'
import { createView, hexToBytes } from '@noble/hashes/utils.js'
import { createBase58check } from '@scure/base'
import { HDKey } from '@scure/bip32'
import type { Script } from '../../../../src/domain/address-source.ts'
import type { WalletNetwork } from '../../../../src/domain/asset.ts'

/** The seed that BIP39 derives from eleven times abandon and about, which all wallets use in tests. */
export const root = HDKey.fromMasterSeed(
  hexToBytes(
    '5eb00bbddcf069084889a8ab9155568165f5c453ccb85e70811aaed6f6da5fc1' +
      '9a5ac40b389cd370d086206dec8aa6c43daea6690f20ad3d8d48b2d2ce9e38e4',
  ),
)

export const phrase = `${'abandon '.repeat(11)}about`

const base58Check = createBase58check(sha256)

/** An extended key with changed bytes and a correct checksum. */
export function rewritten(key: string, change: (payload: Uint8Array, view: DataView) => void): string {
  const payload = base58Check.decode(key)
  change(payload, createView(payload))
  return base58Check.encode(payload)
}

export const withVersion = (key: string, version: number): string =>
  rewritten(key, (_, view) => view.setUint32(0, version))

export const withDepth = (key: string, depth: number, index = 0x80000000): string =>
  rewritten(key, (payload, view) => {
    payload[4] = depth
    view.setUint32(9, index)
    if (depth === 0) view.setUint32(5, 0)
  })

export const publicVersions = {
  xpub: 0x0488b21e,
  ypub: 0x049d7cb2,
  zpub: 0x04b24746,
  Ltub: 0x019da462,
  Mtub: 0x01b26ef6,
  dgub: 0x02facafd,
} as const

/**
 * Accounts of that phrase as wallets export them, and their first addresses, as published for each wallet.
 */
export const accounts: readonly {
  network: WalletNetwork
  path: string
  key: string
  script: Script | null
  addresses: readonly string[]
}[] = [
  {
    network: 'btc',
    path: "m/44'/0'/0'",
    key:
      'xpub6BosfCnifzxcFwrSzQiqu2DBVTshkCXacvNsWGYJVVhhawA7d4R5WSWGFNbi8' +
      'Aw6ZRc1brxMyWMzG3DSSSSoekkudhUd9yLb6qx39T9nMdj',
    script: 'p2pkh',
    addresses: ['1LqBGSKuX5yYUonjxT5qGfpUsXKYYWeabA', '1Ak8PffB2meyfYnbXZR9EGfLfFZVpzJvQP'],
  },
  {
    network: 'btc',
    path: "m/49'/0'/0'",
    key:
      'ypub6Ww3ibxVfGzLrAH1PNcjyAWenMTbbAosGNB6VvmSEgytSER9azLDWCxoJwW7K' +
      'e7icmizBMXrzBx9979FfaHxHcrArf3zbeJJJUZPf663zsP',
    script: 'p2sh-p2wpkh',
    addresses: ['37VucYSaXLCAsxYyAPfbSi9eh4iEcbShgf', '3LtMnn87fqUeHBUG414p9CWwnoV6E2pNKS'],
  },
  {
    // From BIP84 itself.
    network: 'btc',
    path: "m/84'/0'/0'",
    key:
      'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1A' +
      'DqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs',
    script: 'p2wpkh',
    addresses: ['bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu', 'bc1qnjg0jd8228aq7egyzacy8cys3knf9xvrerkf9g'],
  },
  {
    // From BIP86 itself.
    network: 'btc',
    path: "m/86'/0'/0'",
    key:
      'xpub6BgBgsespWvERF3LHQu6CnqdvfEvtMcQjYrcRzx53QJjSxarj2afYWcLteoGV' +
      'ky7D3UKDP9QyrLprQ3VCECoY49yfdDEHGCtMMj92pReUsQ',
    script: 'p2tr',
    addresses: [
      'bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr',
      'bc1p4qhjn9zdvkux4e44uhx8tc55attvtyu358kutcqkudyccelu0was9fqzwh',
    ],
  },
  {
    network: 'ltc',
    path: "m/44'/2'/0'",
    key:
      'xpub6BnJJjq783EdyBeQPA9P9ao9DTS3fUqyKG5NJDcrCiwwxEkesGoHN94LZRGE7' +
      'rz1jgcvmmp8j55BNx573KFq1WBwKiemzkdfNKffKx6Mvku',
    script: 'p2pkh',
    addresses: ['LUWPbpM43E2p7ZSh8cyTBEkvpHmr3cB8Ez'],
  },
  {
    network: 'ltc',
    path: "m/49'/2'/0'",
    key:
      'Mtub2rz9F1pkisRsSZX8sa4Ajon9GhPP6JymLgpuHqbYdU5JKFLBF7Qy8b1tZ3dcc' +
      'j2fefrAxfrPdVkpCxuWn3g72UctH2bvJRkp6iFmp8aLeRZ',
    script: 'p2sh-p2wpkh',
    addresses: ['M7wtsL7wSHDBJVMWWhtQfTMSYYkyooAAXM'],
  },
  {
    network: 'ltc',
    path: "m/49'/2'/0'",
    key:
      'ypub6WZ2nNciqS7sCCFCH64AswfvBu4pLXTdDQcvTkrSFyEbashNb6vEJwXTCB7ax' +
      'KdR4TSbNYTqnU7S6sYPs9afBYqTytiTdjzmcDVRuYcrtso',
    script: 'p2sh-p2wpkh',
    addresses: ['M7wtsL7wSHDBJVMWWhtQfTMSYYkyooAAXM'],
  },
  {
    network: 'ltc',
    path: "m/84'/2'/0'",
    key:
      'zpub6rPo5mF47z5coVm5rvWv7fv181awb7Vckn5Cf3xQXBVKu18kuBHDhNi1Jrb4b' +
      'r6vVD3ZbrnXemEsWJoR18mZwkUdzwD8TQnHDUCGxqZ6swA',
    script: 'p2wpkh',
    addresses: ['ltc1qjmxnz78nmc8nq77wuxh25n2es7rzm5c2rkk4wh', 'ltc1qwlezpr3890hcp6vva9twqh27mr6edadreqvhnn'],
  },
  {
    network: 'doge',
    path: "m/44'/3'/0'",
    key: withVersion(root.derive("m/44'/3'/0'").publicExtendedKey, publicVersions.dgub),
    script: 'p2pkh',
    addresses: ['DBus3bamQjgJULBJtYXpEzDWQRwF5iwxgC'],
  },
  {
    network: 'bitcoincash',
    path: "m/44'/145'/0'",
    key:
      'xpub6ByHsPNSQXTWZ7PLESMY2FufyYWtLXagSUpMQq7Un96SiThZH2iJB1X7pwviH' +
      '1WtKVeDP6K8d6xxFzzoaFzF3s8BKCZx8oEDdDkNnp4owAZ',
    script: 'p2pkh',
    addresses: [
      'bitcoincash:qqyx49mu0kkn9ftfj6hje6g2wfer34yfnq5tahq3q6',
      'bitcoincash:qp8sfdhgjlq68hlzka9lcsxtcnvuvnd0xqxugfzzc5',
    ],
  },
  {
    network: 'zec',
    path: "m/44'/133'/0'",
    key: root.derive("m/44'/133'/0'").publicExtendedKey,
    script: 'p2pkh',
    addresses: ['t1XVXWCvpMgBvUaed4XDqWtgQgJSu1Ghz7F'],
  },
  {
    network: 'evm',
    path: "m/44'/60'/0'",
    key:
      'xpub6DCoCpSuQZB2jawqnGMEPS63ePKWkwWPH4TU45Q7LPXWuNd8TMtVxRrgjtEsh' +
      'uqpK3mdhaWHPFsBngh5GFZaM6si3yZdUsT8ddYM3PwnATt',
    script: null,
    addresses: [
      '0x9858EfFD232B4033E47d90003D41EC34EcaEda94',
      '0x6Fac4D18c912343BF86fa7049364Dd4E424Ab9C0',
      '0xb6716976A3ebe8D39aCEB04372f22Ff8e6802D7A',
    ],
  },
  {
    network: 'trc20',
    path: "m/44'/195'/0'",
    key: root.derive("m/44'/195'/0'").publicExtendedKey,
    script: null,
    addresses: ['TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH'],
  },
]

/** That phrase's first account of a network with the script, written as a plain xpub. */
export function xpubOf(network: WalletNetwork, script?: Script): string {
  const found = accounts.find(
    account => account.network === network && (script === undefined || account.script === script),
  )!
  return withVersion(found.key, publicVersions.xpub)
}
