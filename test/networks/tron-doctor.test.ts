import { expect, test } from 'bun:test'
import { endpoints, requiredEndpoints } from '../../src/cli/doctor/endpoints.ts'
import type { DoctorContext } from '../../src/cli/doctor/finding.ts'
import { assets } from '../../src/cli/doctor/upstreams.ts'
import { openScene, STARTS_AT } from '../simulation/scene.ts'

/** The doctor's view of TRON with these endpoints: a node's JSON-RPC, an index, or both. */
function contextWith(interfaces: string[], change: object = {}): DoctorContext {
  const setup = {
    family: 'tron' as const,
    seed: 1,
    endpoints: interfaces.length,
    finalityLag: 5,
    quorumAbove: null,
    hasAccount: true,
    interfaces,
  }
  const clock = () => STARTS_AT
  const { settings, platform } = openScene(setup, { server: clock, chain: clock }, () => [])
  return { settings: { ...settings, ...change }, platform } as DoctorContext
}

const NO_INDEX =
  'no usable endpoint for trc20: TRX payments cannot be found by JSON-RPC; add a trongrid endpoint to FLORIN_TRON_URL'

test('a node without an index is usable for tokens, and the doctor names the missing coin', async () => {
  const context = contextWith(['rpc'])
  const message = `usable for trc20/usdt; not usable for trc20/trx: ${NO_INDEX}`
  expect(await endpoints(context)).toMatchObject([
    { check: 'endpoint node-0.example of trc20', ok: true, message },
  ])
  const found = await assets(context)
  expect(found.find(({ check }) => check === 'asset trc20/trx')).toMatchObject({
    severity: 'warning',
    message: NO_INDEX,
  })
})

test('an endpoint with an index is usable for both, and doctor names nothing missing', async () => {
  const context = contextWith(['rpc', 'both'])
  expect(await endpoints(context)).toMatchObject([
    { ok: true, message: expect.stringContaining('not usable for trc20/trx') },
    { ok: true, message: 'ok' },
  ])
  const found = await assets(context)
  expect(found.map(({ message }) => message)).not.toContain(NO_INDEX)
})

test('a second opinion needs two endpoints that find the same coin', async () => {
  const quorumAbove = { amount: '100.00', currency: 'USD' }
  expect(await requiredEndpoints(contextWith(['rpc', 'both'], { quorumAbove }))).toMatchObject([
    { severity: 'fault', message: expect.stringContaining('but trc20/trx has one.') },
  ])
  expect(await requiredEndpoints(contextWith(['both', 'both'], { quorumAbove }))).toMatchObject([
    { ok: true },
  ])
})
