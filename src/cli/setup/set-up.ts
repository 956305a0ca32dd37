import { readSettings } from '../../settings/read.ts'
import { ask } from './ask.ts'
import type { Host } from './host.ts'
import { install } from './install.ts'
import { type Answers, planOf } from './plan.ts'
import type { Result } from './result.ts'
import { firstLink, startService } from './service.ts'
import { readState } from './state.ts'

export async function setUp(host: Host, given: Answers, isSure: boolean): Promise<Result> {
  const state = await readState(host)
  const former = { environment: state.environment, user: state.record?.user ?? null }
  const plan = planOf(former, await ask(former, given, isSure))
  const installed = await install(host, plan, state)
  const isStarted = state.hasSystemd
  const started = isStarted ? await startService(host, plan, state, installed.needsRestart) : []
  const link = isStarted ? await firstLink(host, plan, state) : null
  const settings = readSettings({ ...state.environment, FLORIN_DOMAIN: plan.domain })
  const url = settings.dashboardUrl || settings.checkoutUrl || `http://127.0.0.1:${settings.port}`
  return {
    ...{ plan, executable: state.executable, root: host.root, isStarted, isLive: host.isLive },
    ...{ changes: [...installed.changes, ...started], warnings: installed.warnings, link },
    dashboardUrl: `${url}/dashboard`,
  }
}
