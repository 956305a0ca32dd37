import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { base58, base64 } from '@scure/base'
import { assert } from '../../domain/errors.ts'
import type { SolanaInstruction } from '../port.ts'
import { SYSTEM_PROGRAM } from './seed-address.ts'

/** A transfer of the whole balance of a seed address to its payout wallet. */
interface SeedTransfer {
  address: string
  seed: string
  lamports: bigint
}

/** The number of transfers, with the longest seeds, that fit into one transaction. */
export const TRANSFERS_MAX = 8
const TRANSACTION_BYTES_MAX = 1232
const SIGNATURE_BYTES = 64

/** The number of the instruction in the System program. */
const TRANSFER_WITH_SEED = 11

function littleEndian(value: bigint, bytes: number): Uint8Array {
  return Uint8Array.from({ length: bytes }, (_, index) => Number((value >> BigInt(8 * index)) & 0xffn))
}

const key = (address: string): Uint8Array => base58.decode(address)

function contentOf({ seed, lamports }: SeedTransfer): Uint8Array {
  const bytes = utf8ToBytes(seed)
  return concatBytes(
    littleEndian(BigInt(TRANSFER_WITH_SEED), 4),
    littleEndian(lamports, 8),
    littleEndian(BigInt(bytes.length), 8),
    bytes,
    key(SYSTEM_PROGRAM),
  )
}

export const instructionOf = (payout: string, transfer: SeedTransfer): SolanaInstruction => ({
  program: SYSTEM_PROGRAM,
  accounts: [
    { address: transfer.address, isSigner: false, isWritable: true },
    { address: payout, isSigner: true, isWritable: false },
    { address: payout, isSigner: false, isWritable: true },
  ],
  content: base64.encode(contentOf(transfer)),
})

/** Encodes a list of fewer than 128 items as transactions do, with its length in one byte. */
const listOf = (items: Uint8Array[]): Uint8Array => concatBytes(Uint8Array.of(items.length), ...items)

/** Returns the transaction in base64, with zeros for the payout wallet's signature. */
export function unsignedTransaction(payout: string, transfers: SeedTransfer[], blockhash: string): string {
  const accounts = [payout, ...transfers.map(({ address }) => address), SYSTEM_PROGRAM]
  const [signers, readOnlySigners, readOnly] = [1, 0, 1]
  const instructions = transfers.map((transfer, index) => {
    const content = contentOf(transfer)
    const program = accounts.length - 1
    return concatBytes(Uint8Array.of(program, 3, index + 1, 0, 0), Uint8Array.of(content.length), content)
  })
  const message = concatBytes(
    Uint8Array.of(signers, readOnlySigners, readOnly),
    listOf(accounts.map(key)),
    key(blockhash),
    listOf(instructions),
  )
  const transaction = concatBytes(listOf([new Uint8Array(SIGNATURE_BYTES)]), message)
  assert(transaction.length <= TRANSACTION_BYTES_MAX, 'the transfers fit into one transaction')
  return base64.encode(transaction)
}
