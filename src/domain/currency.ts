/**
 * Active ISO 4217 currencies, by number of decimals. Funds codes, metals, test codes and the 4-decimal units
 * of account are left out: nobody pays with them.
 */
const byDecimals: Record<0 | 2 | 3, string> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF',
  2:
    'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF ' +
    'CNY COP CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL ' +
    'HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT ' +
    'MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB ' +
    'SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH ' +
    'USD UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG',
  3: 'BHD IQD JOD KWD LYD OMR TND',
}

const decimalsOf = new Map(
  Object.entries(byDecimals).flatMap(([decimals, codes]) =>
    codes.split(' ').map(code => [code, Number(decimals)] as const),
  ),
)

export const currencies: readonly string[] = [...decimalsOf.keys()].sort()

/** Decimals of a currency; undefined if the code is not accepted. */
export const currencyDecimals = (currency: string): number | undefined => decimalsOf.get(currency)
