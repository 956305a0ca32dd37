import type { Texts } from '../types.ts'

export const provider: Texts['provider'] = {
  payWith: method => `Bayar dengan ${method}`,
  waiting: method => `Menunggu ${method}`,
  otherTab:
    'Selesaikan pembayaran Anda di tab lain. Halaman ini diperbarui otomatis beberapa menit ' +
    'setelah Anda membayar. Setelah membayar, Anda dapat menutup halaman ini; pesanan Anda tetap ' +
    'akan ditandai lunas.',
  openAgain: method => `Buka ${method} lagi`,
  unconfirmed: method => `${method} belum mengonfirmasi pembayaran.`,
}
