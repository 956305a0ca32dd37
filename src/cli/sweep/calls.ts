import type { Sweep } from '../../operations/addresses/sweep.ts'

type Call = Sweep['calls'][number]
type EvmCall = Extract<Call, { kind: 'evm' }>
type SolanaCall = Extract<Call, { kind: 'solana' }>

/** As wallets and scripts take it. Amounts of EVM are in hexadecimal. */
export function presentCall(call: Call) {
  if (call.kind === 'solana') return call
  const { kind, action, attemptId, assetId, chainId, to, data, gas } = call
  return { kind, action, attemptId, assetId, chainId, to, data, value: '0x0', gas }
}

function evmText({ action, assetId, chainId, to, data, gas }: EvmCall, index: number): string {
  const what = action === 'deploy' ? 'deploys the forwarder' : `moves ${assetId}`
  return [
    `${index + 1}. ${what}`,
    `   chainId ${chainId}  value 0  gas about ${gas}`,
    `   to      ${to}`,
    `   data    ${data}`,
  ].join('\n')
}

function solanaText({ assetId, attemptIds, signer, transaction }: SolanaCall, index: number): string {
  const count = `${attemptIds.length} ${attemptIds.length === 1 ? 'address' : 'addresses'}`
  return [
    `${index + 1}. moves ${assetId} from ${count}`,
    `   signer      ${signer}`,
    `   transaction ${transaction}`,
  ].join('\n')
}

const EVM_WORDS =
  'Send these in this order, from any wallet: whoever sends them, the payout wallet gets the money.'
const SOLANA_WORDS = [
  'Sign these with the payout wallet, which alone can move the money. They are void after about a minute;',
  'this command prints them anew. The solana commands of florin sweep --export stay good.',
].join('\n')

/** What a person does with the transactions, of each kind of chain apart. */
export function callsText(calls: Call[]): string[] {
  const evm = calls.filter(call => call.kind === 'evm')
  const solana = calls.filter(call => call.kind === 'solana')
  return [
    ...(evm.length > 0 ? [EVM_WORDS, ...evm.map(evmText)] : []),
    ...(solana.length > 0 ? [SOLANA_WORDS, ...solana.map(solanaText)] : []),
  ]
}
