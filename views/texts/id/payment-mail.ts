import type { Texts } from '../types.ts'

export const paymentMail: Texts['paymentMail'] = {
  subject: (title, shop) => `${title} – ${shop}`,
  part: 'Sebagian pembayaran Anda telah diterima',
  left: (left, total) =>
    `Masih ada ${left} dari ${total} yang harus dibayar. Anda dapat membayar sisanya dengan cara ` +
    'apa pun yang ditawarkan toko.',
  payRest: 'Bayar sisanya',
  vanished: 'Pembayaran Anda tidak lagi terlihat di jaringan',
  refund: 'Pengembalian dana Anda',
  recorded: (shop, amount) =>
    `${shop} telah mencatat pengembalian dana sebesar ${amount} untuk pesanan Anda.`,
  refundedTotal: 'Total dikembalikan',
  sentApart: shop => `${shop} mengirim uangnya kepada Anda secara terpisah. Jika tidak sampai, hubungi toko.`,
  sentBack: 'Penyedia pembayaran yang Anda gunakan akan mengirim uangnya kembali.',
  decides: 'Toko yang memutuskan pengembalian dana.',
  leaveAddress:
    'Jika Anda ingin uangnya kembali, Anda dapat meninggalkan alamat pengembalian dana di ' +
    'halaman pesanan Anda.',
  worth: 'Nilai',
  why: shop => `Anda menerima email ini karena alamat ini diberikan untuk sebuah pesanan di ${shop}.`,
}
