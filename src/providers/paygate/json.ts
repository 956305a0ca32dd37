import type { LosslessJson } from '../../domain/lossless-json.ts'

export type JsonObject = { [key: string]: LosslessJson }

export const isObject = (value: LosslessJson | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
