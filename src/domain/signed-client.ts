/** A text that a client of BTCPay Server's older API signed. */
interface SignedText {
  /** compressed, of the curve secp256k1, in hexadecimal */
  publicKey: string
  /** DER in hexadecimal */
  signature: string
  text: string
}

/** Checks the signatures of clients that have key pairs, not API keys. */
export interface SignedClients {
  /** The ID of a client, which its public key determines; null if it is no key. Clients call it SIN. */
  idOf(publicKey: string): string | null
  /** True if the holder of the public key signed the text. Never throws. */
  isSigned(signed: SignedText): boolean
}
