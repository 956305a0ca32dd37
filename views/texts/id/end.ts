import type { Texts } from '../types.ts'

export const end: Texts['end'] = {
  paid: 'Lunas',
  paidCoins: (amount, shop) => `Anda membayar ${amount} kepada ${shop}.`,
  paidWith: (shop, method) => `Anda membayar kepada ${shop} dengan ${method}.`,
  paidShop: shop => `Anda membayar kepada ${shop}.`,
  thanks: 'Terima kasih!',
  refundedTitle: 'Dana dikembalikan',
  refunded: (amount, shop) => `${shop} mengembalikan ${amount}.`,
  expired: 'Pesanan ini telah kedaluwarsa',
  contactFirst: shop => `Hubungi ${shop} sebelum membayar lagi.`,
  notInTime: 'Pesanan ini tidak dibayar tepat waktu.',
  maybePaid: 'Jika Anda sudah membayar, jangan memesan lagi: pembayaran Anda tetap akan terdeteksi.',
  orderAgain: 'Jika belum, kembali ke toko dan pesan lagi.',
  cancelled: 'Pesanan ini dibatalkan',
  notCharged: 'Dana Anda tidak ditarik.',
  failed: 'Pembayaran gagal',
  declined: 'Penyedia pembayaran menolak pembayaran. Kembali ke toko dan pesan lagi.',
  blocked: 'Pembayaran tidak dapat dilakukan',
  notAccepted: shop => `${shop} tidak dapat menerima pembayaran ini.`,
  haveQuestions: shop => `Hubungi ${shop} jika ada pertanyaan.`,
}
