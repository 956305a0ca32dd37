/** What can be wrong with an address or a key that somebody enters for a wallet. */
export const walletFaults = {
  privateKey: () => 'This looks like a private key or seed words.',
  exposed: () => 'This looks like a private key or seed words. Use addresses only.',

  notAnAddress: () => 'This is not an address of this network. Check for typos, and copy it again.',
  reserved: () => 'The network reserves this address: nobody can move what is sent there.',
  ownerless: () => 'Nobody owns this address: what is sent there is lost.',
  publicContract: () => 'This is a public contract, not a wallet: what is sent there is lost.',
  publicProgram: () => 'This is a public program, not a wallet: what is sent there is lost.',
  tokenContract: () => 'This is the contract of a token, not a wallet: what is sent there is lost.',
  givenToBuyer: () => 'A customer has already been given this address to pay to. Use another one.',

  otherAddress: ({ network }: { network: string }) =>
    `This is not an address of ${network}, or it has a typo. Copy it again.`,
  programAddress: () =>
    'This is an address of a program, such as a token account, not of a wallet. Use the wallet’s ' +
    'own address.',
  notAWallet: ({ program }: { program: string }) =>
    `This is not a wallet: it belongs to the program ${program}. Use the wallet’s own address.`,
  payoutWallet: () =>
    'This is your payout wallet. It gets other money too, so Florin cannot match payments to it.',
  notListed: () => 'This address is not in your list.',
  isGiven: () => 'A customer was given this address, so it stays in the list.',
  inUse: () => 'This address is already used by an extended public key or another shop.',

  noAccountKeys: () => 'Wallets of this network have no extended public key. Enter an address.',
  malformedKey: ({ prefixes }: { prefixes: string }) =>
    'This is not a complete extended public key. Copy everything that the wallet shows, and nothing ' +
    `else: it begins with ${prefixes} and has about 111 letters and digits.`,
  keyBelowAccount: ({ path }: { path: string }) =>
    'This is not the key that your wallet uses for receiving, or it belongs to a multisig wallet. In ' +
    'your wallet, open the account details and copy the extended public key of the account (such as ' +
    `path ${path}).`,
  keyAboveAccount: ({ path }: { path: string }) =>
    'This is the key of a whole wallet, not of an account. In your wallet, open the account details ' +
    `and copy the extended public key of the account (such as path ${path}).`,
  scriptUnknown: ({ prefix }: { prefix: string }) =>
    `Electrum exports this ${prefix} for several address types. Choose the type below, then enter ` +
    'the key again.',
  noScripts: ({ network }: { network: string }) =>
    `${network} has only one address type. Enter the key without a type.`,
  otherScripts: ({ network, scripts }: { network: string; scripts: string }) =>
    `${network} has only the address types ${scripts}.`,
  scriptOfKey: ({ prefix, script }: { prefix: string; script: string }) =>
    `A ${prefix} is only for the address type ${script}. Enter the key without a type.`,
  testKey: ({ prefix, prefixes, network }: { prefix: string; prefixes: string; network: string }) =>
    `This ${prefix} belongs to a test network. Use the ${prefixes} of a real wallet for ${network}.`,
  multisigKey: ({ prefix, prefixes, network }: { prefix: string; prefixes: string; network: string }) =>
    `This ${prefix} is one of several keys of a multisig wallet, and alone makes no addresses. Use the ` +
    `${prefixes} of a wallet for ${network} with a single key.`,
  unsupportedKey: ({ prefixes, network }: { prefixes: string; network: string }) =>
    `This key belongs to a coin that Florin does not support. Use the ${prefixes} of a wallet for ` +
    `${network}.`,
  otherNetworkKey: (is: { prefix: string; networks: string; prefixes: string; network: string }) =>
    `This ${is.prefix} is for ${is.networks}. Use the ${is.prefixes} of a wallet for ${is.network}.`,

  scriptAssumed: ({ script }: { script: string }) =>
    `The key does not say which address type its wallet uses; ${script} is assumed. Compare the ` +
    'first address below with the first one in your wallet.',
  electrumKey: ({ depth }: { depth: number }) =>
    `This key has the form that Electrum exports (depth ${depth}). Other wallets do not show ` +
    'payments to such addresses: compare the first address below with the first one in your wallet.',

  notMonero: () => 'This is not a Monero address. Copy the primary address of your wallet.',
  integrated: () =>
    'This is an integrated address, which contains a payment ID. Use the primary address of your wallet, ' +
    'which begins with 4.',
  subaddress: () => 'This is a subaddress. Use the primary address of your wallet, which begins with 4.',
  viewKeyWords: () => 'This looks like seed words. Use the private view key of a new wallet.',
  viewKeyForm: () =>
    'A private view key has 64 characters: digits, and letters from a to f. Copy it, and nothing else.',
  spendKey: () =>
    'This is the private SPEND key, which can spend. Move the money of that wallet to a new one, then use ' +
    'the private view key of the new wallet.',
  publicViewKey: () => 'This is a public key. Copy the private (secret) view key.',
  viewKeyRange: () => 'This is not a private view key. Copy it from your wallet again.',
  otherViewKey: () =>
    'This view key belongs to another wallet than the address. Copy both from the same wallet.',
  viewKeyMissing: () => 'Enter the private view key too.',
  otherPayout: () =>
    'This belongs to another wallet than your payout wallet. Use the keys of the payout wallet, or remove ' +
    'that one first.',
}
