import type { Texts } from '../types.ts'

export const home: Texts['home'] = {
  title: 'Pembayaran oleh Florin',
  what: 'Server ini menerima pembayaran untuk toko online.',
  buyers: 'Ingin membayar? Buka tautan yang diberikan toko.',
  developers: 'Anda mengelola server ini atau sebuah toko? Referensi API menunjukkan cara membuat pesanan.',
  sandbox:
    'Ini lingkungan uji coba: untuk mencobanya, buat pesanan dan buka halaman pembayarannya. Anda ' +
    'dapat membayar dengan kartu dan koin uji coba.',
  reference: 'Referensi API',
}
