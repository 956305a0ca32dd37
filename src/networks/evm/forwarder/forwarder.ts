import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { assert } from '../../../domain/errors.ts'
import { checksumAddress, evmBytes } from '../../addresses/evm.ts'

/**
 * The address of the deterministic deployment proxy on every chain. Its calldata is a salt and an init code.
 */
export const DEPLOYER = '0x4e59b44847b379578588920cA78FbF26c0B4956C'

/** The code of the real proxy, to tell it from another contract at its address. */
export const DEPLOYER_CODE =
  '0x7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe0' +
  '3601600081602082378035828234f58015156039578182fd5b8082525050506014600cf3'

/**
 * The version of `FORWARDER`, whose bytes must not change while an address derived from them may hold money.
 */
export const FORWARDER_VERSION = 1

/** The compiled forwarder.yul. The address of every forwarder is derived from these bytes. */
const FORWARDER = hexToBytes(
  '601460990180600f6000396000f3fe' +
    '36156097576000358060a01c6020361817608e5760143860131901600c39600051908015607757' +
    '6370a0823160e01b6000523060045260206024806000845afa601f3d1116156072576044600080' +
    '60609360209563a9059cbb60e01b83526004525af16001606051143d15171615607257005b6000' +
    '80fd5b6000808080854790818352602083a05af115607257005b34609757600080fd5b00',
)

/** The bytes at the beginning of `FORWARDER` that deploy the rest, and are not part of the deployed code. */
const CREATION_BYTES = 15

const SALT_DOMAIN = 'florin/evm/forwarder/1\n'

const hex = (bytes: Uint8Array): string => `0x${bytesToHex(bytes)}`

function saltBytes(salt: string): Uint8Array {
  assert(/^0x[0-9a-f]{64}$/i.test(salt), 'a salt is 0x and 64 hexadecimal digits')
  return hexToBytes(salt.slice(2))
}

function initCodeBytes(payout: string): Uint8Array {
  const wallet = evmBytes(payout)
  assert(
    wallet.some(byte => byte !== 0),
    'a payout wallet is not the zero address',
  )
  return concatBytes(FORWARDER, wallet)
}

/** The salt of an attempt, which can always be computed again, since it depends on the ID alone. */
export const saltOf = (attemptId: string): string => hex(keccak_256(utf8ToBytes(SALT_DOMAIN + attemptId)))

/** The code that deploys a forwarder to a payout wallet. */
export const initCode = (payout: string): string => hex(initCodeBytes(payout))

/** The code of a deployed forwarder. */
export const runtimeCode = (payout: string): string => hex(initCodeBytes(payout).subarray(CREATION_BYTES))

export const initCodeHash = (payout: string): string => hex(keccak_256(initCodeBytes(payout)))

/** The address of the forwarder (EIP-1014), with the checksum of EIP-55. It has no private key. */
export function forwarderAddress(payout: string, salt: string): string {
  const hash = keccak_256(
    concatBytes(Uint8Array.of(0xff), evmBytes(DEPLOYER), saltBytes(salt), keccak_256(initCodeBytes(payout))),
  )
  return checksumAddress(hash.subarray(12))
}

/** A call that anybody may send. It transfers no coin to its target. */
export interface EvmCall {
  to: string
  data: string
}

/** The call that deploys a forwarder. It fails if the forwarder is deployed already. */
export const deployCall = (payout: string, salt: string): EvmCall => ({
  to: DEPLOYER,
  data: hex(concatBytes(saltBytes(salt), initCodeBytes(payout))),
})

/** Returns the address of the forwarder that a call of the deployer makes; null for any other call. */
export function deployedAddress({ to, data }: EvmCall): string | null {
  if (to.toLowerCase() !== DEPLOYER.toLowerCase()) return null
  const code = hexToBytes(data.slice(2 + 64))
  const payout = hex(code.subarray(FORWARDER.length))
  const isForwarder = code.length === FORWARDER.length + 20 && /[1-9a-f]/.test(payout.slice(2))
  if (!isForwarder || initCode(payout) !== hex(code)) return null
  return forwarderAddress(payout, data.slice(0, 2 + 64))
}

/**
 * Returns the calldata for a forwarder to pay out its whole balance of a token, or of the coin if `token` is
 * null.
 */
export function flushCall(token: string | null): string {
  const address = token === null ? new Uint8Array(20) : evmBytes(token)
  assert(token === null || address.some(byte => byte !== 0), 'a token is not the zero address')
  return hex(concatBytes(new Uint8Array(12), address))
}
