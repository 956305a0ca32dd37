import { type LosslessJson, parseLossless } from '../../domain/lossless-json.ts'

/** JSON from the gateway, each number as its digits. */
export type Told = LosslessJson
export type ToldObject = { [key: string]: Told }

/** Throws SyntaxError. */
export const readJson = (text: string): Told => parseLossless(text)

export const isObject = (told: Told | undefined): told is ToldObject =>
  typeof told === 'object' && told !== null && !Array.isArray(told)
