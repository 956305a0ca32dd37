/** The day on which the rates were compared with their source, ibericode/vat-rates. */
export const VAT_RATES_DATE = '2025-08-12'

/** The standard rate and the higher reduced rate of countries in percent, as suggestions. */
export const vatRates =
  'AT 20 13|BE 21 12|BG 20 9|CY 19 9|CZ 21 12|DE 19 7|DK 25|EE 24 13|ES 21 10|FI 25.5 14|FR 20 10|GB 20 5|' +
  'GR 24 13|HR 25 13|HU 27 18|IE 23 13.5|IT 22 10|LT 21 9|LU 17 8|LV 21 12|MT 18 7|NL 21 9|PL 23 8|' +
  'PT 23 13|RO 21 11|SE 25 12|SI 22 9.5|SK 23 19'
