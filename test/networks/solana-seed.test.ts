import { expect, test } from 'bun:test'
import {
  address,
  appendTransactionMessageInstruction,
  createTransactionMessage,
  generateKeyPairSigner,
  type Instruction,
  type KeyPairSigner,
  lamports,
  pipe,
  setTransactionMessageFeePayerSigner,
  signTransactionMessageWithSigners,
} from '@solana/kit'
import {
  getTransferSolInstruction,
  getTransferSolWithSeedInstruction,
  SYSTEM_PROGRAM_ADDRESS,
} from '@solana-program/system'
import { FailedTransactionMetadata, LiteSVM } from 'litesvm'
import { seedAddress } from '../../src/networks/keys/solana-seed.ts'

const SOL = 1_000_000_000n

const svm = new LiteSVM()

/** True if the chain's own runtime accepts an instruction. */
async function isAccepted(payer: KeyPairSigner, instruction: Instruction): Promise<boolean> {
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    draft => setTransactionMessageFeePayerSigner(payer, draft),
    draft => svm.setTransactionMessageLifetimeUsingLatestBlockhash(draft),
    draft => appendTransactionMessageInstruction(instruction, draft),
  )
  const sent = svm.sendTransaction(await signTransactionMessageWithSigners(message))
  return !(sent instanceof FailedTransactionMetadata)
}

test('only the payout wallet can move a payment from an address made from a seed', async () => {
  const [buyer, merchant, thief] = await Promise.all([1, 2, 3].map(() => generateKeyPairSigner()))
  for (const signer of [buyer!, merchant!, thief!]) svm.airdrop(signer.address, lamports(10n * SOL))
  const made = seedAddress(merchant!.address, 'attempt')!
  const source = address(made.address)
  const pays = getTransferSolInstruction({ source: buyer!, destination: source, amount: SOL })
  expect(await isAccepted(buyer!, pays)).toBe(true)
  expect(svm.getBalance(source)).toBe(lamports(SOL))

  const moves = (baseAccount: KeyPairSigner) =>
    getTransferSolWithSeedInstruction({
      source,
      baseAccount,
      destination: baseAccount.address,
      amount: SOL,
      fromSeed: made.seed,
      fromOwner: SYSTEM_PROGRAM_ADDRESS,
    })
  expect(await isAccepted(thief!, moves(thief!))).toBe(false)
  expect(svm.getBalance(source)).toBe(lamports(SOL))
  expect(await isAccepted(merchant!, moves(merchant!))).toBe(true)
  expect(svm.getBalance(source) ?? 0n).toBe(lamports(0n))
})
