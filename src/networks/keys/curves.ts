type Ed25519 = typeof import('@noble/curves/ed25519.js')
type Secp256k1 = typeof import('@noble/curves/secp256k1.js')
type Bip32 = typeof import('@scure/bip32')

let ed25519: Ed25519['ed25519'] | undefined
let secp256k1: Secp256k1['secp256k1'] | undefined
let bip32: Bip32 | undefined

/**
 * The elliptic curves, loaded when they are first needed, since they delay the start and many servers never
 * use them. `require` loads synchronously, and the bundler finds it.
 */
export const curves = {
  get ed25519() {
    ed25519 ??= (require('@noble/curves/ed25519.js') as Ed25519).ed25519
    return ed25519
  },
  get secp256k1() {
    secp256k1 ??= (require('@noble/curves/secp256k1.js') as Secp256k1).secp256k1
    return secp256k1
  },
  get bip32() {
    bip32 ??= require('@scure/bip32') as Bip32
    return bip32
  },
}
