import { TypeSystem } from 'elysia/type-system'

interface Rules {
  maxLength?: number
  pattern?: string
  format?: keyof typeof formats
  /** example values, which error messages contain */
  examples?: string[]
}

const formats = {
  uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
  currency: /^[A-Z]{3}$/,
  'asset ID': /^[a-z0-9]+([/][a-z0-9]+)?$/,
}

const isValid = ({ maxLength, pattern, format }: Rules, value: string): boolean =>
  (maxLength === undefined || value.length <= maxLength) &&
  (pattern === undefined || new RegExp(pattern).test(value)) &&
  (format === undefined || formats[format].test(value))

/** A string. The framework's own type echoes an invalid value, and fails on {"toString":1}. */
export const SafeString = TypeSystem.Type<string, Rules>(
  'SandboxString',
  (rules, value) => typeof value === 'string' && isValid(rules, value),
)

interface Range {
  minimum: number
  maximum: number
}

/** An integer. The framework's own type also accepts an integer in quotes. */
export const SafeInteger = TypeSystem.Type<number, Range>(
  'SandboxInteger',
  ({ minimum, maximum }, value) =>
    typeof value === 'number' && Number.isInteger(value) && minimum <= value && value <= maximum,
)

/** A truth value. The framework's own type also accepts a truth value in quotes. */
export const SafeBoolean = TypeSystem.Type<boolean>(
  'SandboxBoolean',
  (_, value) => typeof value === 'boolean',
)
