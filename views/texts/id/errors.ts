import { plural } from '../plural.ts'
import type { Texts } from '../types.ts'

export const errors: Texts['errors'] = {
  titles: {
    notFound: 'Halaman tidak ditemukan',
    notPossible: 'Ini tidak dapat dilakukan',
    notAvailable: 'Tidak tersedia',
    tooMany: 'Terlalu banyak permintaan',
    providerAway: 'Penyedia pembayaran tidak merespons',
    other: 'Terjadi kesalahan',
  },
  titled: title => `Kesalahan: ${title}`,
  notSold: shop => `${shop} tidak lagi menjual produk ini.`,
  shopClosed:
    'Toko ini sedang tidak menerima pembayaran. Jika Anda sudah membayar, hubungi toko dengan ' +
    'menyebutkan nomor pesanan Anda.',
  checkLink: 'Periksa tautan atau minta yang baru kepada toko.',
  backToPayment: 'Kembali ke pembayaran',
  requestId: 'ID permintaan',
  waitMinute: 'Tunggu satu menit, lalu coba lagi.',
  wait: seconds =>
    plural('id', seconds, {
      other: `Terlalu banyak permintaan. Coba lagi dalam ${seconds} detik.`,
    }),
  shopCannot: 'Toko tidak dapat menerima pesanan ini saat ini. Coba lagi nanti atau hubungi toko.',
  byCode: {
    validation_error: 'Tautan atau formulir ini tidak valid. Kembali atau minta tautan baru kepada toko.',
    not_found: 'Tidak ada halaman di alamat ini.',
    order_not_payable: 'Pesanan ini tidak dapat dibayar lagi. Kembali ke toko dan pesan lagi.',
    method_not_offered: 'Metode pembayaran ini tidak tersedia. Pilih metode lain.',
    product_not_available: 'Produk ini tidak tersedia. Kembali ke toko dan pilih produk lain.',
    internal_error: 'Coba lagi. Jika terjadi lagi, hubungi toko dengan menyebutkan ID permintaan di bawah.',
    provider_unavailable: 'Coba lagi dalam beberapa menit.',
  },
  byReason: {
    order_unknown: 'Pesanan ini tidak ada.',
    product_unknown: 'Produk ini tidak ada.',
    order_paid: 'Pesanan ini sudah lunas.',
    order_cancelled: 'Pesanan ini dibatalkan.',
    order_expired: 'Pesanan ini telah kedaluwarsa. Kembali ke toko dan pesan lagi.',
    order_failed: 'Pembayaran pesanan ini gagal. Kembali ke toko dan pesan lagi.',
    coin_not_offered: 'Koin ini sedang tidak tersedia untuk pesanan ini. Pilih metode lain.',
    coin_unsupported: 'Koin ini tidak didukung lagi. Hubungi toko.',
    nothing_to_refund: 'Tidak ada yang perlu dikembalikan. Hubungi toko jika menurut Anda ini keliru.',
    address_saved: 'Alamat pengembalian dana sudah disimpan. Hubungi toko untuk mengubahnya.',
    private_key:
      'Ini tampak seperti kunci privat. Jangan pernah membagikannya. Masukkan alamat sebagai gantinya.',
    payment_address: 'Ini adalah alamat tujuan pembayaran Anda. Masukkan alamat dari dompet Anda sendiri.',
    payments_open:
      'Anda telah membuka sepuluh pembayaran untuk pesanan ini. Bayar salah satunya atau coba lagi dalam ' +
      '30 menit.',
    changed: 'Halaman ini tidak lagi terbaru. Muat ulang, lalu coba lagi.',
  },
  notAnAddress: network => `Ini bukan alamat di ${network}. Salin lagi dari dompet Anda.`,
}
