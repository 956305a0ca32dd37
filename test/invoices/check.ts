import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import SaxonJS from 'saxon-js'

/** The official rules in compiled form. `README.md` gives their source. */
export type Rules = 'EN16931-CII' | 'EN16931-UBL' | 'XRechnung-CII' | 'XRechnung-UBL'

const loaded = new Map<Rules, object>()

function load(rules: Rules): object {
  const known = loaded.get(rules)
  if (known) return known
  const file = readFileSync(join(import.meta.dir, 'rules', `${rules}.sef.json.gz`))
  const found = JSON.parse(new TextDecoder().decode(Bun.gunzipSync(file))) as object
  loaded.set(rules, found)
  return found
}

/** The fewest rules that must have been applied: a run in which hardly any rule matched checks nothing. */
const FIRED_MIN = 10

/** The rules that an invoice breaks, each with its flag. Warnings do not count. */
export function faultsOf(rules: Rules, xml: string): string[] {
  const { principalResult } = SaxonJS.transform(
    { stylesheetInternal: load(rules), sourceText: xml, destination: 'serialized' },
    'sync',
  )
  const fired = principalResult.match(/<svrl:fired-rule/g)?.length ?? 0
  if (fired < FIRED_MIN) return [`only ${fired} rules looked at the invoice`]
  return [...principalResult.matchAll(/<svrl:failed-assert\b([^>]*)>([\s\S]*?)<\/svrl:failed-assert>/g)]
    .filter(([, attributes = '']) => !/flag="(warning|information)"/.test(attributes))
    .map(([, , body = '']) =>
      body
        .replace(/<[^>]*>/g, ' ')
        .replace(/\s+/g, ' ')
        .trim(),
    )
}

/** The rule sets that apply to an invoice: EN 16931, and XRechnung if it claims to be one. */
export const rulesFor = (syntax: 'CII' | 'UBL', xml: string): Rules[] =>
  xml.includes('xrechnung_3.0') ? [`EN16931-${syntax}`, `XRechnung-${syntax}`] : [`EN16931-${syntax}`]
