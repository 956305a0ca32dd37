import { expect, test } from 'bun:test'
import { certificateServices } from '../../../src/boot/certificate-services.ts'
import type { CertificateState } from '../../../src/certificates/port.ts'

const DAY_MS = 24 * 3600_000
const names = ['pay.shop.example']

/** The services that report a problem when this much of a lifetime is left. */
async function reporting(certificate: CertificateState['certificate'], now: number): Promise<string[]> {
  const state = () => ({ names, certificate, problem: 'It is down.', retryAt: null })
  const services = certificateServices(state, () => now)
  const problems = await Promise.all(services.map(service => service.check()))
  return problems.flatMap((problem, at) => (problem ? [`${services[at]?.id} ${problem.about}`] : []))
}

const [fifth, tenth, last] = ['fifth', 'tenth', 'last'].map(
  level => `certificate:${level} certificate_expiring`,
)

test.each([
  [90, 19, []],
  [90, 17, [fifth]],
  [90, 8, [fifth, tenth]],
  [90, 1.9, [fifth, tenth, last]],
  [90, -5, [fifth, tenth, last]],
  [6, 2, []],
  [6, 1.1, [fifth]],
  [6, 0.2, [fifth, tenth, last]],
])('a certificate for %d days is reported with %d days left', async (days, left, expected) => {
  const certificate = { names, notBefore: 0, notAfter: days * DAY_MS }
  expect(await reporting(certificate, (days - left) * DAY_MS)).toEqual(expected.map(String))
})

test('a server without a certificate reports that once, and one behind a proxy reports nothing', async () => {
  expect(await reporting(null, 0)).toEqual(['certificate:fifth certificate_missing'])
  expect(certificateServices(undefined, () => 0)).toEqual([])
})
