import { type Cli, command } from './cli.ts'
import { survey } from './doctor/context.ts'
import type { Finding } from './doctor/finding.ts'
import { runChecks } from './doctor/table.ts'

const words = { fault: 'FAULT', warning: 'WARN ' }

function lineOf({ check, ok, severity = 'fault', message, remedy }: Finding): string {
  if (ok) return `ok     ${check}: ${message}`
  return `${words[severity]}  ${check}: ${message}\n       ${remedy}`
}

export const doctor = (cli: Cli) =>
  command('doctor', 'check the installation and say what to do about each fault')
    .addHelpText(
      'after',
      '\nEnds with 1 where there is a fault. A warning alone is for you to judge, and ends with 0.',
    )
    .action(
      cli.answering(async () => {
        const findings = await runChecks(await survey(cli.settings()))
        const isWell = findings.every(({ severity }) => severity !== 'fault')
        const json = { ok: isWell, findings }
        return { json, text: findings.map(lineOf).join('\n'), exitCode: isWell ? 0 : 1 }
      }),
    )
