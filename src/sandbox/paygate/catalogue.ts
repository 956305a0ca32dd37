export interface ListedMethod {
  id: string
  provider_name: string
  status: 'active' | 'redirected' | 'unstable' | 'inactive'
  minimum_currency: string
  minimum_amount: number | null
}

type Row = [id: string, name: string, status: ListedMethod['status'], currency: string, amount: number | null]

const rows: Row[] = [
  ['moonpay', 'MoonPay.com', 'active', 'USD', 20],
  ['banxa', 'Banxa.com', 'active', 'USD', 20],
  ['transak', 'Transak.com', 'active', 'USD', 15],
  ['stripe', 'Stripe.com', 'active', 'USD', 2],
  ['wert', 'Wert.io', 'active', 'USD', 1],
  ['robinhood', 'Robinhood.com', 'active', 'USD', 5],
  ['mercuryo', 'Mercuryo.io', 'active', 'USD', 30],
  ['simplex', 'Simplex.com', 'active', 'USD', 50],
  ['revolut', 'Revolut.com', 'active', 'EUR', 6],
  ['upi', 'UPI', 'active', 'INR', 100],
  ['particle', 'Particle.network', 'active', 'USD', null],
  ['sardine', 'Sardine.ai', 'inactive', 'USD', 30],
]

/** Methods in the format of the gateway's list. */
export const catalogue: readonly ListedMethod[] = rows.map(
  ([id, provider_name, status, minimum_currency, minimum_amount]) => ({
    id,
    provider_name,
    status,
    minimum_currency,
    minimum_amount,
  }),
)

/** The only currencies that a method accepts. The gateway does not list them. */
export const currencyLocks = new Map<string, readonly string[]>([
  ['stripe', ['USD', 'EUR']],
  ['wert', ['USD']],
  ['robinhood', ['USD']],
  ['upi', ['INR']],
])
