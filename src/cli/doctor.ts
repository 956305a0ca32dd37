import { type Cli, command } from './cli.ts'
import { collectContext } from './doctor/context.ts'
import type { Finding } from './doctor/finding.ts'
import { runChecks } from './doctor/table.ts'

const labels = { fault: 'ERROR', warning: 'WARN ' }

function lineOf({ check, ok, severity = 'fault', message, remedy }: Finding): string {
  if (ok) return `ok     ${check}: ${message}`
  return `${labels[severity]}  ${check}: ${message}\n       ${remedy}`
}

export const doctor = (cli: Cli) =>
  command('doctor', 'check the installation and explain how to fix each problem')
    .addHelpText('after', '\nExits with 1 if there is an ERROR. Warnings alone exit with 0.')
    .action(
      cli.answering(async () => {
        const findings = await runChecks(await collectContext(cli.settings(), cli.environment))
        const isHealthy = findings.every(({ severity }) => severity !== 'fault')
        const json = { ok: isHealthy, findings }
        return { json, text: findings.map(lineOf).join('\n'), exitCode: isHealthy ? 0 : 1 }
      }),
    )
