import { TypeSystem } from 'elysia/type-system'

interface Rules {
  maxLength?: number
  pattern?: string
}

const keeps = ({ maxLength, pattern }: Rules, text: string): boolean =>
  (maxLength === undefined || text.length <= maxLength) &&
  (pattern === undefined || new RegExp(pattern).test(text))

/** A text. The framework's own kind puts a wrong value into a sentence, and falls over {"toString":1}. */
export const Text = TypeSystem.Type<string, Rules>(
  'SandboxText',
  (rules, value) => typeof value === 'string' && keeps(rules, value),
)
