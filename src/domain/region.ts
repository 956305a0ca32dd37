import { currencies } from './currency.ts'

/**
 * Currencies of regions that have no currency of their own. A region's own currency has a code that begins
 * with the code of the region.
 */
const sharedCurrencies: Readonly<Record<string, string>> = {
  AUD: 'CC CX HM KI NF NR TV',
  CHF: 'LI',
  DKK: 'FO GL',
  EUR:
    'AD AT AX BE BG BL CY DE EE ES FI FR GF GP GR HR IE IT LT LU LV MC ME MF MQ MT NL PM PT RE SI SK SM TF ' +
    'VA XK YT',
  GBP: 'GG GS IM JE',
  ILS: 'PS',
  MAD: 'EH',
  NOK: 'BV SJ',
  NZD: 'CK NU PN TK',
  USD: 'AS BQ EC FM GU IO MH MP PR PW SV TC TL UM US VG VI',
  VES: 'VE',
  XAF: 'CF CG CM GA GQ TD',
  XCD: 'AG AI DM GD KN LC MS VC',
  XCG: 'CW SX',
  XOF: 'BF BJ CI GW ML NE SN TG',
  XPF: 'NC PF WF',
}

/**
 * The time zone of most people in regions with several time zones, and the current names of zones that were
 * renamed.
 */
const mainZones: Readonly<Record<string, string>> = {
  AR: 'America/Argentina/Buenos_Aires',
  AU: 'Australia/Sydney',
  BR: 'America/Sao_Paulo',
  CA: 'America/Toronto',
  CL: 'America/Santiago',
  CY: 'Asia/Nicosia',
  ER: 'Africa/Asmara',
  ES: 'Europe/Madrid',
  FM: 'Pacific/Pohnpei',
  FO: 'Atlantic/Faroe',
  GL: 'America/Nuuk',
  IN: 'Asia/Kolkata',
  KI: 'Pacific/Tarawa',
  MH: 'Pacific/Majuro',
  MM: 'Asia/Yangon',
  MN: 'Asia/Ulaanbaatar',
  MX: 'America/Mexico_City',
  NP: 'Asia/Kathmandu',
  PF: 'Pacific/Tahiti',
  PG: 'Pacific/Port_Moresby',
  PT: 'Europe/Lisbon',
  RU: 'Europe/Moscow',
  UA: 'Europe/Kyiv',
  US: 'America/New_York',
  UZ: 'Asia/Tashkent',
  VN: 'Asia/Ho_Chi_Minh',
}

/** TypeScript does not know `getTimeZones` yet. */
type RegionLocale = Intl.Locale & { getTimeZones?(): string[] | undefined }

/**
 * The usual currency and time zone of a region; the US dollar and UTC if nothing is known about the region.
 */
interface Usual {
  currency: string
  timeZone: string
}

/**
 * The usual currency and time zone for the region of a language tag such as "de-AT". A language alone, such
 * as "de", stands for the region of most of its speakers: Germany.
 */
export function usualIn(tag: string): Usual {
  const locale: RegionLocale = new Intl.Locale(tag).maximize()
  const { region = '' } = locale
  const shared = Object.entries(sharedCurrencies).find(([, regions]) => regions.split(' ').includes(region))
  const own = region !== '' && currencies.find(code => code.startsWith(region))
  return {
    currency: shared?.[0] ?? (own || 'USD'),
    timeZone: mainZones[region] ?? locale.getTimeZones?.()?.[0] ?? 'UTC',
  }
}
