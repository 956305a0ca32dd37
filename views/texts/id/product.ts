import type { Texts } from '../types.ts'

export const product: Texts['product'] = {
  fixFields: 'Perbaiki kolom yang ditandai.',
  email: 'Email',
  name: 'Nama',
  optional: '(opsional)',
  price: 'Harga Anda',
  amount: 'Jumlah',
  currency: 'Mata uang',
  howToPay: 'Bagaimana Anda ingin membayar?',
  continue: 'Lanjutkan ke pembayaran',
  errors: {
    email: 'Masukkan alamat email, misalnya sam@example.com.',
    fullName: 'Masukkan nama paling banyak 128 karakter.',
    paymentMethodKey: 'Pilih cara Anda ingin membayar.',
    amount: example => `Masukkan jumlah di atas nol dalam angka, misalnya ${example}.`,
    amountIn: (currency, example) =>
      `Masukkan jumlah dalam ${currency} di atas nol dengan angka, misalnya ${example}.`,
    amountWithoutDecimals: (currency, example) =>
      `Masukkan jumlah dalam ${currency} di atas nol dengan angka tanpa desimal, misalnya ${example}.`,
    currency: 'Pilih mata uang.',
    tooLittle: 'Metode pembayaran ini tidak tersedia untuk jumlah ini. Pilih metode atau jumlah lain.',
  },
}
