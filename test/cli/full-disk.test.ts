import { afterAll, describe, expect, test } from 'bun:test'
import { chmodSync, chownSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { databaseFile } from '../../src/storage/sqlite/open.ts'
import { audit } from '../support/auditor.ts'
import { orderBody } from '../support/given.ts'
import { endProcesses, FLORIN, newFolder, runCli, startProcess } from '../support/process.ts'
import { until } from '../support/until.ts'
import { EVM_WALLET, florinIn, summaryOf } from './commands.ts'

const DISK_SIZE = '2500k'
const NOTICED_MS = 30_000
const mounted: string[] = []
const run = (...command: string[]): boolean => Bun.spawnSync(command).success
const unmount = (folder: string): boolean => run('umount', '-l', folder)

/** A small file system in memory; throws if this user may not mount one. */
function smallDisk(): string {
  const folder = join(newFolder(), 'disk')
  mkdirSync(folder)
  if (!run('mount', '-t', 'tmpfs', '-o', `size=${DISK_SIZE}`, 'none', folder)) throw new Error('cannot mount')
  mounted.push(folder)
  return folder
}

const isRoot = process.getuid?.() === 0

function mayMount(): boolean {
  try {
    return isRoot && unmount(smallDisk())
  } catch {
    return false
  }
}

afterAll(async () => {
  for (const folder of mounted) unmount(folder)
  await endProcesses()
})

describe('on a disk that becomes full', () => {
  test.skipIf(!mayMount())(
    'orders and readiness are 503 until there is space, and nothing is lost',
    async () => {
      const dataDir = smallDisk()
      const florin = florinIn(dataDir)
      const { merchantId } = await florin.merchant('shop@shop.example')
      const { key } = await florin.json('key', 'create', '--merchant', merchantId, '--mode', 'live')
      const server = await startProcess(FLORIN, ['serve'], {
        FLORIN_DATA_DIR: dataDir,
        FLORIN_SANDBOX: 'true',
      })
      await server.call('PUT', '/v1/wallet', { key, body: { cryptoWallets: { evm: EVM_WALLET } } })
      const create = () => server.call('POST', '/v1/orders', { key, body: orderBody() })
      expect((await server.call('GET', '/readyz')).status).toBe(200)

      const made: string[] = []
      let refused = await create()
      while (refused.status === 201 && made.length < 1000) {
        made.push(refused.json.data.orderUUID)
        refused = await create()
      }
      expect([refused.status, refused.json.error.code]).toEqual([503, 'storage_unavailable'])
      expect(refused.headers.get('retry-after')).toBe('30')
      // An answer of /readyz is reused for five seconds, so the test asks until there is a new one.
      let unready = await server.call('GET', '/readyz')
      const answers = (status: number) => async () => {
        unready = await server.call('GET', '/readyz')
        return unready.status === status
      }
      await until(answers(503), 'to notice the full disk', NOTICED_MS)
      expect([unready.status, unready.json.error.code]).toEqual([503, 'storage_unavailable'])
      expect(unready.headers.get('retry-after')).toBe('30')
      expect((await server.call('GET', '/healthz')).status).toBe(200)
      expect(server.stderr()).not.toContain('request.failed')

      expect(run('mount', '-o', 'remount,size=20m', dataDir)).toBe(true)
      expect((await create()).status).toBe(201)
      await until(answers(200), 'to notice the space', NOTICED_MS)
      for (const id of made) expect((await server.call('GET', `/v1/orders/${id}`, { key })).status).toBe(200)
      expect((await server.stop()).exitCode).toBe(0)
      expect(audit(databaseFile(dataDir))).toEqual([])
    },
  )
})

const asNobody = isRoot ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] : []

describe('on a database file that is read-only', () => {
  test.skipIf(isRoot && Bun.which('setpriv') === null)(
    'the server does not start, and commands that write are refused with a message',
    async () => {
      const dataDir = newFolder()
      await florinIn(dataDir).merchant('shop@shop.example')
      chmodSync(databaseFile(dataDir), 0o400)
      const paths = [dataDir, ...readdirSync(dataDir).map(name => join(dataDir, name))]
      if (isRoot) for (const path of paths) chownSync(path, 65534, 65534)
      const environment = { FLORIN_DATA_DIR: dataDir, FLORIN_PORT: '0', HOME: '/nowhere' }
      const lines = ['serve', 'merchant create --email b@shop.example --name B']
      for (const line of lines) {
        const ran = await runCli(line.split(' '), environment, [...asNobody, ...FLORIN], '/')
        expect({
          line,
          ...summaryOf(ran),
          words: /read-?only|permission|cannot be written/i.test(ran.stderr) ? true : ran.stderr,
        }).toEqual({
          line,
          exitCode: 1,
          stdout: '',
          isSentence: true,
          words: true,
        })
      }
    },
  )
})
