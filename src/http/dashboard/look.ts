import type { Look } from '../../../views/dashboard/look.ts'
import { DEFAULT_COLOR } from '../../domain/brand.ts'
import { type Color, inkOn } from '../../domain/contrast.ts'
import type { Merchant } from '../../domain/merchant.ts'

/** The appearance of a shop for buyers. A color that is not valid is replaced by the usual one. */
export function lookOf({ name, color, logo }: Pick<Merchant, 'name' | 'color' | 'logo'>): Look {
  const shown = /^#[0-9a-f]{6}$/i.test(color ?? '') ? (color as Color) : DEFAULT_COLOR
  return { name, color: shown, ink: inkOn(shown), logoUrl: logo && `/images/${logo.id}` }
}
