import { plural } from '../plural.ts'
import type { Texts } from '../types.ts'

export const choose: Texts['choose'] = {
  title: 'Pilih cara membayar',
  byProvider: 'Kartu, transfer bank, atau dompet digital',
  crypto: 'Kripto',
  card: 'Kartu',
  bank: 'Transfer bank',
  through: provider => `melalui ${provider}`,
  moreWays: 'Cara membayar lainnya',
  moreCoins: 'Koin lainnya',
  filter: 'Cari cara membayar',
  noMatch: 'Tidak ada cara membayar yang cocok.',
  usual: (fee, time) => `Biaya jaringan biasanya sekitar ${fee}, waktu sekitar ${time}`,
  networks: count =>
    plural('id', count, {
      other: `${count} jaringan`,
    }),
  payWith: method => `Bayar dengan ${method}`,
  continueTo: method => `Lanjutkan ke ${method}`,
  keepPageOpen: method =>
    `${method} terbuka di tab baru. Kembalilah ke halaman ini untuk melihat kapan pembayaran Anda diterima.`,
  handledBy: company =>
    `${company} memproses pembayaran dan membayar toko dalam kripto. Anda mungkin diminta ` +
    'menunjukkan kartu identitas dan dikenai biaya tambahan.',
  handledByNamed:
    'Perusahaan yang disebutkan memproses pembayaran dan membayar toko dalam kripto. Anda ' +
    'mungkin diminta menunjukkan kartu identitas dan dikenai biaya tambahan.',
  back: 'Kembali ke pembayaran yang Anda mulai',
  noMethod: 'Tidak ada metode',
  nothing: 'Saat ini tidak ada metode pembayaran yang tersedia',
  providerAway: 'Penyedia pembayaran tidak merespons. Coba lagi dalam beberapa menit.',
  noneForAmount: 'Tidak ada metode pembayaran toko yang tersedia untuk jumlah ini.',
  openUntil: time => `Pesanan ini tetap terbuka hingga ${time}.`,
  cardsAway: 'Pembayaran dengan kartu, bank, dan dompet digital sedang tidak tersedia.',
  tryInMinutes: 'Coba lagi dalam beberapa menit.',
  networksAway: networks => `Saat ini kami tidak dapat menjangkau ${networks}.`,
  otherOrLater: 'Pilih cara pembayaran lain, atau coba lagi dalam beberapa menit.',
  unavailable: method => `${method} tidak tersedia`,
  chooseOther: 'Dana Anda tidak ditarik. Pilih metode lain.',
  declined: method => `${method} menolak pembayaran`,
  tryAgainOrOther:
    'Pembayaran tidak berhasil. Jika bank Anda menampilkan dana yang ditahan, penahanan itu akan hilang ' +
    'dengan sendirinya. Coba lagi atau pilih metode lain.',
}
