const SECRET =
  'This looks like a private key or a seed phrase. Anyone who sees it can take the money: never paste it ' +
  'anywhere. Move the money of its wallet to a new wallet, since others may know it now.'

const wanted = (prefixes: string, network: string): string => `the ${prefixes} of a wallet for ${network}`

/**
 * Faults of an entered address or key, in English. Pages have their own sentences for each kind, in the
 * person's language.
 */
const sentences = {
  privateKey: () => SECRET,
  exposed: () => `contains a private key or a seed phrase. ${SECRET}`,

  notAnAddress: () =>
    'must be a mainnet address of this network; check for typos. For an extended public key, such as an ' +
    'xpub or zpub, use florin wallet xpub',
  addressOfOther: ({ networks }: { networks: string[] }) =>
    `is an address of ${networks.join(' or ')}; enter it there`,
  testAddress: () => 'is an address of a test network, whose coins are worth nothing',
  nameEntered: () => 'is a name, not an address: copy the address that the wallet shows for receiving',
  linkEntered: () =>
    'is a link to a page, not an address: copy the address that the wallet shows for receiving',
  reserved: () => 'is reserved by the network: nobody can move what is sent there',
  ownerless: () => 'is a known address without an owner: nobody can move what is sent there',
  publicContract: () => 'is a public contract, not a wallet: nobody can move what is sent there',
  publicProgram: () => 'is a public program, not a wallet: nobody can move what is sent there',
  tokenContract: () => 'is the contract of a token: nobody can move what is sent there',
  givenToBuyer: () => 'has already been given to a buyer as a payment address',

  otherAddress: ({ network }: { network: string }) =>
    `is not a mainnet address of ${network}; check for typos`,
  programAddress: () => 'is an address of a program, such as a token account: no key can sign for it',
  notAWallet: ({ address, program }: { address: string; program: string }) =>
    `${address} is not a wallet: it belongs to the program ${program}`,
  payoutWallet: () => 'is the payout wallet, where payments cannot be assigned to orders',
  notListed: () => 'is not in this list',
  isGiven: () => 'was given to a buyer, so it stays in the list',
  inUse: () => 'is already in use by an account or another merchant',

  noAccountKeys: ({ instead }: { instead: string }) => instead,
  malformedKey: ({ prefixes }: { prefixes: string }) =>
    'This is not an extended public key. Copy all of what the wallet exports and nothing else: it begins ' +
    `with ${prefixes} and has about 111 letters and digits.`,
  keyBelowAccount: ({ depth, path }: { depth: number; path: string }) =>
    'This key is for a chain or an address inside an account, or for a multisig wallet (depth ' +
    `${depth}): the ` +
    'wallet would not see payments to its addresses. Export the extended public key of the account itself, ' +
    `such as ${path}.`,
  keyAboveAccount: ({ depth, path }: { depth: number; path: string }) =>
    `This key is above the accounts of its wallet (depth ${depth}): the wallet would not see ` +
    'payments to its ' +
    `addresses. Export the extended public key of the account itself, such as ${path}.`,
  scriptUnknown: ({ prefix, depth, scripts }: { prefix: string; depth: number; scripts: string }) =>
    `This ${prefix} is at depth ${depth}, as Electrum exports it for its own seeds, and may be for any ` +
    `addresses. Name the script: ${scripts}.`,
  noScripts: ({ network }: { network: string }) => `Addresses of ${network} have no script. Leave it out.`,
  otherScripts: ({ network, scripts }: { network: string; scripts: string }) =>
    `Addresses of ${network} can only be ${scripts}. Leave the script out.`,
  scriptOfKey: ({ prefix, script, given }: { prefix: string; script: string; given: string }) =>
    `A ${prefix} is for ${script} addresses. Leave the script out, or export the key of an account that ` +
    `has ${given} addresses.`,
  testKey: ({ prefix, prefixes, network }: { prefix: string; prefixes: string; network: string }) =>
    `This ${prefix} is for a test network. Use ${wanted(prefixes, network)}, on the main network.`,
  multisigKey: ({ prefix, prefixes, network }: { prefix: string; prefixes: string; network: string }) =>
    `This ${prefix} is one of several keys of a multisig wallet, and no address can be derived from it ` +
    `alone. Use ${wanted(prefixes, network)} that a single key can spend from.`,
  unsupportedKey: ({ prefixes, network }: { prefixes: string; network: string }) =>
    `This key is for a coin that is not supported. Use ${wanted(prefixes, network)}.`,
  otherNetworkKey: (is: { prefix: string; networks: string[]; prefixes: string; network: string }) =>
    `This ${is.prefix} is for ${is.networks.join(' or ')}. Use ${wanted(is.prefixes, is.network)}.`,

  scriptAssumed: ({ script }: { script: string }) =>
    `The key does not say which addresses its wallet uses; ${script} is assumed. Compare the first address ` +
    'with the first one in the wallet.',
  electrumKey: ({ depth }: { depth: number }) =>
    `The key is at depth ${depth}, as Electrum exports it for its own seeds. Other wallets do not see ` +
    'payments to such addresses: compare the first address with the first one in the wallet.',

  lightningName: () =>
    'The server of this Lightning address knows no such name. Check for typos: it looks like ' +
    'name@example.com.',
  lightningService: () =>
    'The server of this Lightning address does not answer as one. Check the part after the @.',
  lightningVerify: () =>
    'This wallet cannot confirm payments to others (it lacks LUD-21), so an order would never be paid. ' +
    'Use the Lightning address of another wallet, for example of Alby, LNbits or a BTCPay Server.',
  lightningInvoice: () =>
    'The invoice of this wallet cannot be shown to buyers: it is for another network or amount, is not ' +
    'signed, or expires too soon. Use the Lightning address of another wallet.',
  lightningAmount: () => 'This wallet accepts no payments of a common amount. Check its limits.',
  lightningAway: () => 'The server of this Lightning wallet cannot be reached. Check its URL, or try again.',
  lightningPrivate: ({ host }: { host: string }) =>
    'This server is in a private network. The operator has to allow it: ' +
    `FLORIN_OUTBOUND_ALLOW=lightning:${host}`,
  lightningUrl: () =>
    'This is not the URL of such a node. It begins with https:// (a connection of Nostr Wallet Connect ' +
    'with nostr+walletconnect://), without a password or a query. A BTCPay Server also needs the ID of the ' +
    'store.',
  lightningNode: () =>
    'The server does not answer as this kind of node. Check the URL, and that its HTTP API is switched on.',
  lightningSecret: () =>
    'The node refused this secret. Copy all of it, and nothing else: the limited password of phoenixd, an ' +
    'API key, a macaroon in hex or base64, a rune, or a connection string.',
  lightningRights: () =>
    'This secret cannot issue invoices and look them up. Make one with just these two rights.',
  lightningPays: () =>
    'This secret can do more than receive: a thief could move money with it. Make one that can only issue ' +
    'invoices and look them up. Nothing was saved.',

  notMonero: () => 'This is not a Monero address. Copy the primary address of the wallet.',
  integrated: () =>
    'This is an integrated address, which contains a payment id. Use the primary address of the wallet, ' +
    'which begins with 4.',
  subaddress: () =>
    'This is a subaddress, from which no others can be derived. Use the primary address of the wallet, ' +
    'which begins with 4.',
  viewKeyWords: () => `${SECRET} Use the private view key of the new wallet.`,
  viewKeyForm: () =>
    'A private view key has 64 hexadecimal digits. Copy it from the wallet, and nothing else.',
  spendKey: () => `This is the private SPEND key. ${SECRET} Use the private view key of the new wallet.`,
  publicViewKey: () =>
    'This is a public key, which is part of the address. Copy the private (secret) view key.',
  viewKeyRange: () => 'This is not a private view key: the number is out of range.',
  otherViewKey: () =>
    'This view key belongs to another wallet than the address. Copy both from the same wallet.',
  viewKeyMissing: () => 'is required',
  otherPayout: () =>
    'belongs to another wallet than the payout wallet xmr. Use the keys of the payout wallet, or change it ' +
    'with florin wallet set',
}

type Sentences = typeof sentences
export type WalletFaultKind = keyof Sentences

/** The kind of a fault, and the values of its sentence. */
export type WalletFault<Kind extends WalletFaultKind = WalletFaultKind> = {
  [K in Kind]: Parameters<Sentences[K]> extends [infer Values] ? { kind: K } & Values : { kind: K }
}[Kind]

/** The sentence in English, or the rest of one that begins with the name of the entered value. */
export const walletFaultText = (fault: WalletFault): string =>
  (sentences[fault.kind] as (values: WalletFault) => string)(fault)

/** The fault of one line of a list. */
export interface LineFault {
  line: number
  fault: WalletFault
}
