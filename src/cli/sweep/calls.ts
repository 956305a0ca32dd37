import type { Sweep } from '../../operations/addresses/sweep.ts'

type Call = Sweep['calls'][number]
type EvmCall = Extract<Call, { kind: 'evm' }>
type SolanaCall = Extract<Call, { kind: 'solana' }>

function evmText({ action, assetId, chainId, to, data, gas }: EvmCall, index: number): string {
  const what = action === 'deploy' ? 'deploy the forwarder' : `move ${assetId}`
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
    `${index + 1}. move ${assetId} from ${count}`,
    `   signer      ${signer}`,
    `   transaction ${transaction}`,
  ].join('\n')
}

const EVM_INSTRUCTIONS =
  'Send these transactions in this order from any wallet. The funds always go to the payout wallet.'
const SOLANA_INSTRUCTIONS = [
  'Sign these transactions with the payout wallet. They expire after about a minute; run this command',
  'again to get new ones. The solana commands of florin sweep --export do not expire.',
].join('\n')

/** Instructions for a person, one section per kind of chain. */
export function callsText(calls: Call[]): string[] {
  const evm = calls.filter(call => call.kind === 'evm')
  const solana = calls.filter(call => call.kind === 'solana')
  return [
    ...(evm.length > 0 ? [EVM_INSTRUCTIONS, ...evm.map(evmText)] : []),
    ...(solana.length > 0 ? [SOLANA_INSTRUCTIONS, ...solana.map(solanaText)] : []),
  ]
}
