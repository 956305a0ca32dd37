import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { walletFaultText } from '../../src/domain/wallet-fault.ts'
import { readMonero } from '../../src/networks/addresses/monero.ts'
import { subaddress, subaddressSpendKey, viewKeyFault } from '../../src/networks/keys/monero.ts'
import { freePort } from '../support/free-port.ts'
import { endProcesses, newFolder } from '../support/process.ts'
import { isMissing } from '../support/programs.ts'
import { startNode } from './derivation-node.ts'

const viewKeyError = (address: string, viewKey: string): string | null => {
  const fault = viewKeyFault(address, viewKey)
  return fault && walletFaultText(fault)
}

const COUNT = 20
const indices = Array.from({ length: COUNT }, (_, at) => at + 1)

/** A new wallet of monero-wallet-rpc. Creating one needs no chain. */
const wallet = { address: '', viewKey: '', spendKey: '', seed: '', subaddresses: [] as string[] }

let stop: () => Promise<void>

const isSkipped = isMissing('Tests of Monero’s derivation', 'monero-wallet-rpc')

beforeAll(async () => {
  if (isSkipped) return
  const folder = newFolder()
  const port = freePort()
  const node = await startNode(
    'monero-wallet-rpc',
    ['--offline', '--no-dns', '--rpc-ssl', 'disabled', '--daemon-ssl', 'disabled', '--disable-rpc-login']
      .concat(['--rpc-bind-ip', '127.0.0.1', '--rpc-bind-port', `${port}`, '--wallet-dir', folder])
      .concat(['--shared-ringdb-dir', join(folder, 'ring'), '--log-file', join(folder, 'log')]),
    `http://127.0.0.1:${port}/json_rpc`,
    'get_version',
  )
  stop = node.stop
  const key = async (key_type: string) => (await node.rpc<{ key: string }>('query_key', { key_type })).key
  await node.rpc('create_wallet', { filename: 'wallet', language: 'English' })
  const made = { account_index: 0, count: COUNT }
  wallet.subaddresses = (await node.rpc<{ addresses: string[] }>('create_address', made)).addresses
  wallet.address = (await node.rpc<{ address: string }>('get_address', { account_index: 0 })).address
  wallet.viewKey = await key('view_key')
  wallet.spendKey = await key('spend_key')
  wallet.seed = await key('mnemonic')
}, 120_000)

afterAll(async () => {
  await stop?.()
  await endProcesses()
})

test.skipIf(isSkipped)("a wallet's spend key and seed phrase are refused with a warning", () => {
  expect(viewKeyError(wallet.address, wallet.spendKey)).toContain('SPEND')
  expect(viewKeyError(wallet.address, wallet.seed)).toContain('seed phrase')
})

test.skipIf(isSkipped)('the subaddresses of a wallet are refused as primary addresses', () => {
  for (const address of wallet.subaddresses)
    expect(viewKeyError(address, wallet.viewKey)).toContain('a subaddress')
})

test.skipIf(isSkipped)('the view key of a wallet of monero-wallet-rpc is accepted', () => {
  expect(viewKeyError(wallet.address, wallet.viewKey)).toBeNull()
})

test.skipIf(isSkipped)('the first subaddresses of a wallet are those that we derive', () => {
  expect(wallet.subaddresses).toHaveLength(COUNT)
  expect(indices.map(index => subaddress(wallet.address, wallet.viewKey, index))).toEqual(wallet.subaddresses)
  expect(indices.map(index => subaddressSpendKey(wallet.address, wallet.viewKey, index))).toEqual(
    wallet.subaddresses.map(address => readMonero(address)!.spendKey),
  )
})
