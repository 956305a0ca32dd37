import type { WalletNetwork } from '../../../src/domain/asset.ts'

/**
 * Published addresses, each with every network that it is an address of. Bitcoin Cash shares Bitcoin's legacy
 * addresses, and Litecoin Bitcoin's old script addresses. No other pair of networks shares addresses.
 */
export const known: readonly (readonly [address: string, networks: readonly WalletNetwork[]])[] = [
  ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', ['evm']],
  ['0xdAC17F958D2ee523a2206206994597C13D831ec7', ['evm']],
  ['1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2', ['btc', 'bitcoincash']],
  ['16w1D5WRVKJuZUsSRzdLp9w3YGcgoxDXb', ['btc', 'bitcoincash']],
  ['3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy', ['btc', 'bitcoincash', 'ltc']],
  ['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', ['btc']],
  ['bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu', ['btc']],
  ['bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0', ['btc']],
  ['bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a', ['bitcoincash']],
  ['ppm2qsznhks23z7629mms6s4cwef74vcwvn0h829pq', ['bitcoincash']],
  ['bitcoincash:pvqqqqqqqqqqqqqqqqqqqqqqzg69v7ysqqqqqqqqqqqqqqqqqqqqqpkp7fqn0', ['bitcoincash']],
  ['bitcoincash:zr6m7j9njldwwzlg9v7v53unlr4jkmx6eycnjehshe', ['bitcoincash']],
  ['rpawqn2h74a4t50phuza84kdp3794pq3cct3k50p0y', ['bitcoincash']],
  ['LVg2kJoFNg45Nbpy53h7Fe1wKyeXVRhMH9', ['ltc']],
  ['MQMcJhpWHYVeQArcZR3sBgyPZxxRtnH441', ['ltc']],
  ['ltc1qg42tkwuuxefutzxezdkdel39gfstuap288mfea', ['ltc']],
  ['DPpJVPpvPNP6i6tMj4rTycAGh8wReTqaSU', ['doge']],
  ['A7JjzK9k9x5b2MkkQzqt91WZsuu7wTu6iS', ['doge']],
  ['EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', ['solana']],
  ['mvines9iiHiQTysrwkJjGf2gb9Ex9jXJX8ns3qwf2kN', ['solana']],
  ['TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', ['trc20']],
  ['TNDzfERDpxLDS2w1q6yaFC7pzqaSQ3Bg3r', ['trc20']],
  ['t1U9yhDa5XEjgfnTgZoKddeSiEN1aoLkQxq', ['zec']],
  ['t3Vz22vK5z2LcKEdg16Yv4FFneEL1zg9ojd', ['zec']],
  [
    '44AFFq5kSiGBoZ4NMDwYtN18obc8AemS33DBLWs3H7otXft3XjrpDtQGv7SqSsaBYBb98uNbr2VBBEt7f2wfn3RVGQBEP3A',
    ['xmr'],
  ],
  [
    '888tNkZrPN6JsEgekjMnABU4TBzc2Dt29EPAvkRxbANsAnjyPbb3iQ1YBRk1UXcdRsiKc9dhwMVgN5S9cQUiyoogDavup3H',
    ['xmr'],
  ],
  [
    '4LL9oSLmtpccfufTMvppY6JwXNouMBzSkbLYfpAV5Usx3skxNgYeYTRj5UzqtReoS44qo9mt' +
      'mXCqY45DJ852K5Jv2bYXZKKQePHES9khPK',
    ['xmr'],
  ],
]

/** Addresses of test chains, and of kinds to which no network of ours can pay. */
export const foreign: readonly string[] = [
  'tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sl5k7',
  'tltc1qu78xur5xnq6fjy83amy0qcjfau8m367defyhms',
  'ltcmweb1qqt9rwznnxzkghv4s5wgtwxs0m0ry6n3atp95f47slppapxljde3xyqmdlnr' +
    'c8ag7y2k354jzdc4pc4ks0kr43jehr77lngdecgh6689nn5mgv5yn',
  'mzBc4XEFSdzCDcTxAgf6EZXgsZWpztRhef',
  '2MxKEf2su6FGAUfCEAHreGFQvEYrfYNHvL7',
  'QW2SvwjaJU8LD6GSmtm1PHnBG2xPuxwZFy',
  't2UNzUUx8mWBCRYPRezvA363EYXyEpHokyi',
  'bchtest:pr6m7j9njldwwzlg9v7v53unlr4jkmx6eyvwc0uz5t',
  '27bLJCYjbH6MT8DBF9xcrK6yZnm43vx7MNQ',
  'A2be3UvzMtkJtxRYgcCbQt2y7Rp2eLVGqNTWfZeankrWimSMM4y7uMP6B9oAZaHsXTj8KFSerkSkkVRuEuEca9QM8VhxCNU',
  '9tFTaQM39JXhULZsHauPHhjFrjcGSGXoijEPYoRgAky9Veck2mFp3EifQ2tKHmEHuuUoFfgYRNR2bVaborz5oi8JA8xkqjY',
]
