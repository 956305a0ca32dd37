import type { Read } from './parsers.ts'

export interface Setting<T> {
  name: string
  default: string
  meaning: string
  read: Read<T>
  /** never shown in full */
  isSecret: boolean
}

export const setting = <T>(
  name: string,
  fallback: string,
  meaning: string,
  read: Read<T>,
  isSecret = false,
): Setting<T> => ({ name, default: fallback, meaning, read, isSecret })
