import { afterAll, describe, expect, test } from 'bun:test'
import { LineWriter } from '../../src/boot/stderr.ts'
import { callUrl, endProcesses, FLORIN, newFolder } from '../support/process.ts'

afterAll(endProcesses)

const quote = (word: string) => `'${word}'`
const serve = `${FLORIN.map(quote).join(' ')} serve --json`

/** Starts a server through Bash, which redirects its standard error. */
async function serveThrough(shell: string) {
  const child = Bun.spawn(['bash', '-c', shell], {
    cwd: newFolder(),
    env: { PATH: process.env.PATH ?? '', FLORIN_PORT: '0', FLORIN_DATA_DIR: newFolder() },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'ignore',
  })
  const { value } = await child.stdout.getReader().read()
  const { url } = JSON.parse(new TextDecoder().decode(value)) as { url: string }
  return { child, url }
}

describe.skipIf(process.platform !== 'linux')('a server whose log lines cannot be written continues,', () => {
  test.each([
    ['where the disk of the log is full', `exec ${serve} 2>/dev/full`],
    ['where standard error is closed', `exec ${serve} 2>&-`],
    ['where the reader of its pipe has ended', `exec ${serve} 2> >(true)`],
    ['where nobody reads its pipe', `exec ${serve} 2> >(exec sleep 20)`],
  ])('%s', async (_, shell) => {
    const { child, url } = await serveThrough(shell)
    const before = child.exitCode
    for (let round = 0; round < 10; round++) {
      const answers = await Promise.all(Array.from({ length: 100 }, () => callUrl(`${url}/v1/orders`, 'GET')))
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]))
      await Bun.sleep(20)
    }
    expect((await callUrl(`${url}/healthz`, 'GET')).status).toBe(200)
    expect([before, child.exitCode]).toEqual([null, null])
    child.kill('SIGTERM')
    await child.exited
  })
})

describe('the writer of log lines', () => {
  test('keeps their order, drops lines that fail, and continues', async () => {
    const written: string[] = []
    let turn = 0
    const writer = new LineWriter((bytes, done) => {
      turn++
      if (turn === 2) return done(Object.assign(new Error('full'), { code: 'ENOSPC' }), 0)
      if (turn === 3) return done(Object.assign(new Error('again'), { code: 'EAGAIN' }), 0)
      const part = bytes.subarray(0, 3)
      written.push(part.toString())
      done(null, part.length)
    })
    writer.write('one')
    await writer.flush()
    expect(writer.lost).toBeNull()
    writer.write('lost')
    await writer.flush()
    expect(writer.lost).toBe(1)
    writer.write('three\n')
    writer.write('four\n')
    await writer.flush()
    expect(written.join('')).toBe('onethree\nfour\n')
    expect(writer.lost).toBeNull()
  })

  test('keeps at most a megabyte for a reader that does not read', async () => {
    let done: (error: null, written: number) => void = () => {}
    let length = 0
    const writer = new LineWriter((bytes, finish) => {
      length = bytes.length
      done = finish
    })
    for (let i = 0; i < 3000; i++) writer.write('x'.repeat(1000))
    const first = length
    expect(writer.lost).toBeGreaterThan(1900)
    done(null, first)
    await Bun.sleep(1)
    expect(first + length).toBeLessThanOrEqual(1024 * 1024)
    expect(length).toBeGreaterThan(0)
  })
})
