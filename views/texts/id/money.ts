import type { Texts } from '../types.ts'

export const money: Texts['money'] = {
  received: (received, total, left) => `Diterima ${received} dari ${total} · sisa ${left}`,
  receivedAll: (received, total) => `Diterima ${received} dari ${total}`,
  awaiting: (amount, shop) =>
    `Jumlah ${amount} sedang menunggu persetujuan ${shop}. Untuk saat ini, jangan kirim apa pun lagi.`,
  awaitingUnknown: shop =>
    `Sebuah pembayaran sedang menunggu persetujuan ${shop}. Untuk saat ini, jangan kirim apa pun lagi.`,
  tooSmall: left =>
    `Sisa ${left} terlalu kecil untuk dikirim. Toko telah diberi tahu; Anda tidak perlu mengirim apa pun ` +
    'lagi.',
  others: 'Pembayaran lain yang Anda mulai',
  continueWith: name => `Lanjutkan dengan ${name}`,
  part: received => `${received} diterima`,
  vanished: amount =>
    `Jaringan tidak lagi menampilkan pembayaran Anda sebesar ${amount}. Periksa di dompet Anda sebelum ` +
    'mengirim lagi.',
  blind: (network, time) =>
    `Saat ini kami tidak dapat menjangkau jaringan ${network}. Pemeriksaan terakhir: ${time}.`,
  blindAdvice:
    'Jika Anda sudah membayar, pembayaran Anda tidak hilang. Jangan membayar lagi: kami akan ' +
    'menemukannya begitu kami dapat menjangkau jaringan.',
}
