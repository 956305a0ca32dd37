import { networksOf } from '../../boot/networks.ts'
import { SettingsError } from '../../settings/read.ts'
import type { DoctorContext } from './finding.ts'

export type KnownNetworks = ReturnType<typeof networksOf>

/** Null if the assets file is invalid, which has its own check. */
export function networksFor({ settings, platform }: DoctorContext) {
  try {
    return networksOf(settings, platform, platform.now, null)
  } catch (error) {
    if (error instanceof SettingsError) return null
    throw error
  }
}
